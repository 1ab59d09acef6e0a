import { conflict, forbidden, invalid, notFound, unavailable } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { ModelCallAnswer } from '@atrium/contract/traces/schema.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import {
  ModelError,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  plainRequest,
} from '../../drivers/models/driver.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';
import { type Anonymization, placeholderNote } from '../anonymization/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { costOf, keepAnonymized, withCallContext } from '../model-calls/service.ts';
import { fitToModel, type Registry } from '../models/service.ts';
import type { RetryModelCall, StoredPrompts } from './ports.ts';
import { findReadableRun } from './service.ts';
import { findCall, type RunRow } from './store.ts';

const timeout_ms = 300_000;

const text = z.object({ type: z.literal('text'), text: z.string() });
const messageShape = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), parts: z.array(text) }),
  z.object({
    role: z.literal('assistant'),
    parts: z.array(
      z.union([text, z.object({ type: z.literal('tool-call'), id: z.string(), name: z.string(), input: z.unknown() })]),
    ),
  }),
  z.object({
    role: z.literal('tool'),
    results: z.array(z.object({ id: z.string(), name: z.string(), output: z.string(), is_error: z.boolean() })),
  }),
]);

/** The messages to send, and how many files in them have no bytes to send. */
function readMessages(messages: readonly unknown[]): { messages: ModelMessage[]; files_left_out: number } {
  let files_left_out = 0;
  const sent = messages.map((message, at): ModelMessage => {
    const { parts, ...rest } = message as { parts?: { type?: unknown }[] };
    const kept = Array.isArray(parts) ? parts.filter((part) => part?.type !== 'file') : undefined;
    files_left_out += (parts?.length ?? 0) - (kept?.length ?? 0);
    const read = messageShape.safeParse(kept ? { ...rest, parts: kept } : message);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw invalid(
      ['body', 'messages', String(at)],
      `${issue?.path.join('.') || 'the message'}: ${issue?.message}`,
      message,
    );
  });
  return { messages: sent, files_left_out };
}

/** The messages with their values back, as a user would have sent them: text that looks like a placeholder is hidden. */
async function restoreMessages(anonymizer: Anonymizer, messages: ModelMessage[]): Promise<ModelMessage[]> {
  async function* asPart(): AsyncGenerator<ModelPart> {
    yield { type: 'tool-call', id: '', name: '', input: messages };
  }
  // An anonymizer reads the values of its conversation with its first request.
  await anonymizer.anonymize({
    ...plainRequest,
    model: '',
    system: '',
    system_covered: [],
    max_tokens: 1,
    messages: [],
  });
  for await (const part of anonymizer.restore(asPart()))
    if (part.type === 'tool-call') return part.input as ModelMessage[];
  return messages;
}

async function collect(parts: AsyncIterable<ModelPart>) {
  const [tool_calls, said]: [ModelCallAnswer['tool_calls'], string[]] = [[], []];
  for await (const part of parts) {
    if (part.type === 'text') said.push(part.text);
    else if (part.type === 'tool-call') tool_calls.push({ id: part.id, name: part.name, input: part.input });
    else if (part.type === 'finish') return { text: said.join(''), tool_calls, ...part };
  }
  throw new ModelError('The answer broke off before its end');
}

/** Makes a model call of a trace again: within budgets, behind the anonymizer, and without a trace in the conversation. */
export function makeRetryModelCall(deps: {
  db: Database;
  prompts: Pick<StoredPrompts, 'read'>;
  transcript: Pick<Transcript, 'read'>;
  privacy: Pick<Anonymization, 'conversationAnonymizer' | 'temporaryAnonymizer'>;
  registry: Pick<Registry, 'resolve'>;
  /** The kinds of personal data that are hidden where no agent says. */
  pii: Parameters<Anonymization['temporaryAnonymizer']>[0];
  requireBudget(scope: Scope): Promise<void>;
}): RetryModelCall {
  const { db, prompts, transcript, privacy, registry } = deps;

  async function anonymizerOf(scope: Scope, { conversation_id }: RunRow): Promise<Anonymizer> {
    if (conversation_id === null) return privacy.temporaryAnonymizer(deps.pii, scope);
    const { row, settings } = await transcript.read(scope, conversation_id);
    return privacy.conversationAnonymizer(scope.workspace_id, conversation_id, settings, row.inherits);
  }

  return async (scope, run_id, call_id, changes) => {
    const { workspace_id } = scope;
    const run = await findReadableRun(deps, scope, run_id);
    const needed = run.kind === 'workflow' ? 'flows_edit' : 'agents_edit';
    if (!allows(scope.permissions, needed)) throw forbidden(lacksPermission(scope, needed));
    const call = await findCall(db, workspace_id, run_id, call_id);
    if (!call) throw notFound('model call');
    const kept = (await prompts.read(workspace_id, run_id, [call_id])).get(call_id);
    if (!kept) throw conflict('The prompt of this call is not kept, or no longer', 'prompt_not_kept');
    const { messages: given, files_left_out } = readMessages(changes.messages ?? kept.messages);
    await deps.requireBudget(scope);
    const { models, skipped } = await registry.resolve(scope, [changes.model ?? call.model]);
    const [chosen] = models;
    if (!chosen) throw conflict(skipped[0]?.reason ?? 'The model is not configured', 'model_not_configured');
    const { info } = chosen;
    const hidden = await anonymizerOf(scope, run);
    const messages = await restoreMessages(hidden, given);
    const asked: ModelRequest = {
      ...plainRequest,
      max_tokens: 4096,
      ...kept.settings,
      model: info.model,
      // The prompt as it was sent has its placeholders already; a changed one is the text of who may edit the agent.
      ...{ system: changes.system ?? kept.system.replace(placeholderNote, ''), system_covered: [] },
      messages,
      tools: [...(kept.tool_definitions ?? [])],
      ...(changes.temperature !== undefined && { temperature: changes.temperature }),
      ...(changes.max_tokens !== undefined && { max_tokens: changes.max_tokens }),
    };
    const context = { conversation_id: null, run_id: null, agent_id: call.agent_id, version_id: call.version_id };
    const anonymizer = keepAnonymized(withCallContext(hidden, context));
    const { request } = fitToModel(info, asked);
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(timeout_ms)]);
    const started = Date.now();
    let failure: unknown;
    for (const model of chosen.addresses(anonymizer))
      try {
        const answer = await collect(model.stream(await model.anonymize(request), signal, 'trial'));
        const { text, tool_calls, reason: finish_reason, usage } = answer;
        return {
          ...{ model: info.name, text, tool_calls, finish_reason, ms: Date.now() - started, ...usage },
          ...{ cost: costOf(usage, info.price), left_out: changes.messages ? 0 : kept.left_out, files_left_out },
        };
      } catch (error) {
        throwIfFinal(error);
        scope.signal.throwIfAborted();
        if (!(error instanceof ModelError) && !signal.aborted) throw error;
        failure = error;
      }
    const reason = failure instanceof ModelError ? failure.message : `No answer within ${timeout_ms / 1000} s`;
    throw unavailable(reason, 'provider_unavailable');
  };
}
