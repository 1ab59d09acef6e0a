import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolCallContent, ToolResultContent } from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import { approvalNeed } from '../approvals/service.ts';
import type { Tool, ToolSecrets } from '../tools/ports.ts';
import { runTool, toolText } from '../tools/service.ts';

/** JSON with sorted keys, so that equal objects have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join()}}`;
}

/** Finds recordings of calls: one with the same input first, else the next of that tool. Each is used once. */
function makeRecordings({ tools = [] }: EvaluationCase) {
  const left = [...tools];
  return (call: ToolCallContent) => {
    const same = left.findIndex(({ name, input }) => name === call.name && canonical(input) === canonical(call.input));
    const at = same >= 0 ? same : left.findIndex(({ name }) => name === call.name);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
}

export interface AnsweredCall {
  result: ToolResultContent;
  /** How the result of the evaluation names the call. */
  told: { name: string; recorded: boolean; live?: true };
  /** Titles and addresses of its sources. */
  sources: string[];
}

/**
 * Answers the tool calls of a case: from a recording or, where there is none, by a tool that only reads, with the
 * permissions of the caller that started the evaluation. No other tool is ever run.
 */
export function makeToolCallAnswerer(options: {
  scope: Scope;
  one: EvaluationCase;
  tools: readonly Tool[];
  settings: Settings;
  secrets: ToolSecrets;
  signal: AbortSignal;
}) {
  const { scope, one, tools, settings, secrets, signal } = options;
  const recordingOf = makeRecordings(one);
  const namesOf = (found: ReturnType<NonNullable<Tool['sources']>>) =>
    found.flatMap(({ title, url }) => [title, url ?? '']);
  const refused = (call: ToolCallContent, output: string): AnsweredCall => ({
    result: { id: call.id, name: call.name, output, is_error: true },
    told: { name: call.name, recorded: false },
    sources: [],
  });

  return async function answerToolCall(call: ToolCallContent): Promise<AnsweredCall> {
    const tool = tools.find((candidate) => candidate.tool === call.name);
    const recorded = recordingOf(call);
    if (recorded) {
      const { output, is_error } = recorded;
      return {
        result: { id: call.id, name: call.name, output: toolText(output ?? ''), is_error },
        told: { name: call.name, recorded: true },
        sources: namesOf(tool?.sources?.(output) ?? []),
      };
    }
    if (!tool?.reads_only) return refused(call, 'There is no recording of this call.');
    // An evaluation has no person to ask, and it must not be a way around the approval.
    if (approvalNeed(tool, call, { settings, taint: new Set(), egress: 'never' }))
      return refused(call, 'There is no recording of this call, and it needs the approval of a person.');
    const timeout_ms = settings.tool_timeout * 1000;
    const outcome = await runTool(tools, call, { scope, timeout_ms, signal, secrets, as_user: true });
    const { text, is_error, sources = [], account } = outcome;
    const wasRun = account.outcome !== 'refused' && account.outcome !== 'invalid';
    return {
      result: { id: call.id, name: call.name, output: text, is_error },
      told: { name: call.name, recorded: false, ...(wasRun && { live: true as const }) },
      sources: namesOf(sources),
    };
  };
}
