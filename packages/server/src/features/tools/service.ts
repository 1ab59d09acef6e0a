import { hash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { inputSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import type {
  Taint,
  ToolAccount,
  ToolFile,
  ToolOutcomeKind,
  ToolProgress,
  ToolSource,
} from '@atrium/contract/tools/tool-result.ts';
import type { z } from 'zod';
import type { ModelTool, ToolCallContent } from '../../drivers/models/driver.ts';
import { redactedErrorFields } from '../../lib/log.ts';
import { isDatabaseOutage } from '../../lib/outages/database-outages.ts';
import type { Scope } from '../../lib/scope.ts';
import { stretchesOf } from '../../lib/text/covered-text.ts';
import type { Tool, ToolCall, ToolSecrets } from './ports.ts';
import { scrubLog } from './scrub-log.ts';

export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I;
    output: O;
    run(
      scope: Scope,
      input: z.output<I>,
      signal: AbortSignal,
      reveal: ToolSecrets['reveal'],
      call: ToolCall,
    ): Promise<z.input<O>>;
  },
): Tool {
  return tool as unknown as Tool;
}

/** The definition of a tool as it is sent to a model. */
export const describeTool = ({
  tool,
  description,
  data_in_description = [],
  foreign,
  input,
  sampled,
}: Tool): ModelTool => ({
  name: tool,
  description,
  origin: foreign ? 'server' : 'operator',
  covered: stretchesOf(description, data_in_description),
  ...(sampled && { data: sampled.data }),
  input_schema: inputSchemaOf(input),
});

/**
 * Reads the samples that models are shown with the descriptions. A tool whose sample can't be read goes without. So do all
 * tools of an agent that can send something out: private rows in its prompt would have every such call ask for approval.
 */
export const loadSamples = (scope: Scope, tools: readonly Tool[]): Promise<Tool[]> => {
  const canSend = tools.some(({ sends }) => sends);
  return Promise.all(
    tools.map(async (tool) => {
      if (!tool.sample || canSend) return tool;
      try {
        return { ...tool, sampled: await tool.sample() };
      } catch (error) {
        scope.log.warn('tool.sample_failed', { tool: tool.tool, ...redactedErrorFields(error) });
        return tool;
      }
    }),
  );
};

/** The taint of what models read of tools before any call. */
export const taintOfDescriptions = (tools: readonly Tool[]): Taint[] => [
  // Descriptions of other servers are untrusted text.
  ...(tools.some(({ foreign }) => foreign) ? (['untrusted'] as const) : []),
  ...tools.flatMap(({ sampled }) => sampled?.brings ?? []),
];

/** An error that the model may read and act on. The message of any other error is not shown to the model. */
export class ToolError extends Error {
  /** Whether something may have been read by then; else it brings nothing into the conversation. */
  readonly begun: boolean;

  constructor(message: string, { begun = true }: { begun?: boolean } = {}) {
    super(message);
    this.begun = begun;
  }
}

/** The output of a tool does not fit its schema. */
class MisfitOutput extends Error {
  override name = 'MisfitOutput';
}

/** The outcome of one tool call: `output` for people and records, `text` the same for the model. */
export interface ToolOutcome {
  output: unknown;
  text: string;
  is_error: boolean;
  sources?: readonly ToolSource[];
  files?: readonly ToolFile[];
  /** For the users of the reply. */
  warnings?: readonly string[];
  account: ToolAccount;
}

const mostText = 100_000;
const roomForNote = 400;
/** The longest result that is stored, in characters; the rest of a longer one is lost. */
const mostKept = 50_000_000;

/** Where the whole of a long result stays, for the agent to read on in. */
export type KeepOutput = (scope: Scope, tool: string, text: string) => Promise<{ id: string; name: string }>;

export interface CallOptions {
  scope: Scope;
  timeout_ms: number;
  signal: AbortSignal;
  secrets?: ToolSecrets;
  /** Whether the actor of the run needs the permission of the tool; otherwise the workspace's grants count. */
  as_user?: boolean;
  taint?: readonly Taint[];
  approved_reach?: string | undefined;
  keep?: KeepOutput;
  /** Throws when the database is away, for a run that makes the call again when it is back. */
  throws_outage?: boolean;
  /** Receives the progress of the run that the call has started. */
  progress?(at: ToolProgress): void;
}

const asText = (output: unknown) => (typeof output === 'string' ? output : JSON.stringify(output));

function cut(text: string, where: string): string {
  const kept = mostText - roomForNote;
  return `${text.slice(0, kept)}\n[The rest was cut off: ${text.length - kept} more characters${where}]`.toWellFormed();
}

/** A result as the model reads it, cut where it is too long to be read. One that was cut stays as it is. */
export function toolText(output: unknown): string {
  const text = asText(output);
  return text.length <= mostText ? text : cut(text, '');
}

/** Stores a result that is too long as a file, and names the file to the model. */
async function succeeded(
  tool: Tool,
  output: unknown,
  { scope, keep }: CallOptions,
): Promise<Omit<ToolOutcome, 'account'>> {
  const text = asText(output);
  if (text.length <= mostText) return { output, text, is_error: false };
  const kept = await keep?.(scope, tool.tool, text.slice(0, mostKept)).catch((error) => {
    scope.log.error('A long result was not kept', { tool: tool.tool, ...redactedErrorFields(error) });
  });
  const read = cut(text, kept ? `; the whole is kept as the file ${kept.name}, id ${kept.id}` : '');
  return { output: read, text: read, is_error: false };
}

/** An outcome that is none of the tool's own making. */
export const outcomeWithoutResult = (outcome: ToolOutcomeKind, error: string): ToolOutcome => ({
  ...{ output: { error }, text: toolText({ error }), is_error: true },
  account: { outcome, ms: 0, cost: 0, brings: [] },
});

/** For calls outside of runs, which have no variables. */
const noSecrets: ToolSecrets = { reveal: async (value) => value, scrub: (value) => value };

/** A tool that does not say that it reveals secrets has no way to. */
const undeclared: ToolSecrets['reveal'] = async () => {
  throw new Error('Only a tool that is declared with `reveals` is given secrets');
};

/** Makes the call. Secrets are scrubbed from its logs as from its result. */
async function makeCall(
  tool: Tool,
  scope: Scope,
  input: unknown,
  signal: AbortSignal,
  secrets: ToolSecrets,
  call: ToolCall,
) {
  if (!tool.reveals) return tool.run(scope, input, signal, undeclared, call);
  const own = { ...scope, log: scrubLog(scope.log, secrets.scrub) };
  return tool.run(own, await secrets.reveal(input, tool.reveals), signal, secrets.reveal, call);
}

/**
 * Executes one tool call: checks permission, input and output, limits time and size, records the cost. Every failure is
 * an outcome; only stopping the run throws, and an outage where the caller asks for it.
 */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCallContent,
  options: CallOptions,
): Promise<ToolOutcome> {
  const { scope, timeout_ms, signal, secrets = noSecrets } = options;
  signal.throwIfAborted();
  const tool = tools.find((candidate) => candidate.tool === call.name);
  if (!tool) return outcomeWithoutResult('invalid', `There is no tool named ${call.name}`);
  if (options.as_user && tool.permission && !allows(scope.permissions, tool.permission))
    return outcomeWithoutResult(
      'refused',
      `Whoever you act for may not use this tool: it takes the permission ${tool.permission}`,
    );
  const input = tool.input.safeParse(call.input);
  if (!input.success)
    return outcomeWithoutResult(
      'invalid',
      `The input does not fit the tool: ${input.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ')}`,
    );

  await scope.requireLease?.();
  const started = performance.now();
  const brought = new Set<Taint>();
  const warnings: string[] = [];
  let cost = 0;
  const own: ToolCall = {
    id: call.id,
    taint: options.taint ?? [],
    ...(options.approved_reach !== undefined && { approved_reach: options.approved_reach }),
    cost(usd) {
      if (usd > 0 && Number.isFinite(usd)) cost += usd;
    },
    brings(...kinds) {
      for (const kind of kinds) brought.add(kind);
    },
    warn: (message) => void warnings.push(secrets.scrub(message)),
    ...(options.progress && { progress: options.progress }),
  };
  // What it has cost and brought counts, however it ended: half a page may have been read by then.
  const accountOf = (outcome: ToolOutcomeKind, brings: readonly Taint[] = []): ToolAccount => ({
    outcome,
    ms: Math.round(performance.now() - started),
    cost,
    brings: [...brought.union(new Set(brings))],
  });
  const failed = (outcome: ToolOutcomeKind, error: string, begun = true) => ({
    ...outcomeWithoutResult(outcome, error),
    account: accountOf(outcome, begun ? tool.brings : []),
  });

  const timeout = AbortSignal.timeout(timeout_ms);
  const ended = AbortSignal.any([signal, timeout]);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const onEnd = () => reject(ended.reason);
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    const output = await Promise.race([makeCall(tool, scope, input.data, ended, secrets, own), tooLate]);
    const checked = tool.output.safeParse(output);
    if (!checked.success) throw new MisfitOutput();
    const shown = secrets.scrub(checked.data);
    const [sources, files] = [tool.sources?.(shown), tool.files?.(shown)];
    const told = { ...(sources && { sources }), ...(files && { files }), ...(warnings.length && { warnings }) };
    const account = accountOf('ok', tool.brought?.(shown) ?? tool.brings);
    return { ...(await succeeded(tool, shown, options)), ...told, account };
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted) return failed('timeout', `The tool did not answer within ${timeout_ms / 1000} s`);
    if (options.throws_outage && isDatabaseOutage(error)) throw error;
    if (error instanceof ToolError) return failed('error', secrets.scrub(error.message), error.begun);
    // The model can tell the user, or make something smaller.
    if (error instanceof AppError && error.code === 'quota_reached') return failed('error', error.message);
    const fields = secrets.scrub(redactedErrorFields(error));
    scope.log.error('A tool failed', { tool: call.name, request_id: scope.request_id, ...fields });
    return failed('error', 'The tool failed');
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}

/** Every provider accepts tool names of this length. */
const longestName = 64;

const plainName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '');

/**
 * Builds tool names from names that users chose: `<kind>_<name>…`, in the characters that providers accept. A name that
 * is too long or already taken ends in a part of the hash of its source, so it stays the same in every run.
 */
export function makeToolNames() {
  const taken = new Set<string>();
  return (kind: string, ...parts: string[]): string => {
    const whole = [kind, ...parts.map((part) => plainName(part) || 'x')].join('_');
    const marked = (...again: number[]) =>
      `${whole.slice(0, longestName - 9)}_${hash('sha256', JSON.stringify([kind, ...parts, ...again])).slice(0, 8)}`;
    let name = whole.length <= longestName ? whole : marked();
    if (taken.has(name)) name = marked();
    // Sources with the same name are numbered in their order.
    for (let again = 2; taken.has(name); again++) name = marked(again);
    taken.add(name);
    return name;
  };
}
