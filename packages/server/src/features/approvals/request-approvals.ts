import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { newId } from '../../lib/ids.ts';
import type { Tool } from '../tools/ports.ts';
import { outcomeWithoutResult, type ToolOutcome } from '../tools/service.ts';
import { approvalNeed, entriesFor, needsFourEyes } from './approval-need.ts';
import { findCoveringApproval } from './approval-scope.ts';
import { type EgressRule, egressModeOf } from './egress-mode.ts';
import type { CallRequest, OpenStep, RequestRow } from './ports.ts';
import type { CoveringApproval } from './request-store.ts';
import { digestTool } from './tool-digest.ts';

type Question = Extract<RunEvent, { type: 'approval-request' | 'human-request' }>;

export interface ApprovalRequesterOptions {
  tools: readonly Tool[];
  settings: Settings;
  /** The taint of the conversation when the model wrote the calls of this step. */
  taintAt(step: number): ReadonlySet<Taint>;
  /** The operator's word on the egress rule. */
  egress_approval: EgressRule;
  /** Seconds until an approval expires, where the tool's entry does not say. */
  approval_timeout: number;
  /** The requests of this run with their current status. */
  requests(): Promise<RequestRow[]>;
  /** The approvals that cover later calls of the conversation now. */
  covering(): Promise<CoveringApproval[]>;
}

const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** The event of a decision or an answer; undefined while the request is open. */
function answerEventOf(
  step: number,
  call_id: string,
  row: RequestRow | undefined,
): NonNullable<CallRequest['answer']> | undefined {
  if (!row || row.status === 'pending') return undefined;
  const { id, status, note, decided_by: by } = row;
  if (row.kind === 'question') return { type: 'human-answer', step, id, call_id, message_id: null, content: note, by };
  return {
    type: 'approval-decision',
    step,
    id,
    call_id,
    decision: status === 'approved' ? 'approve' : 'reject',
    note,
    by,
  };
}

/**
 * Requests approval of all calls of a step together, before any of them is made; the step continues when all requests are
 * answered. Answers are written into the log before they have any effect.
 */
export function makeApprovalRequester(options: ApprovalRequesterOptions) {
  const { tools, settings } = options;
  const egress = egressModeOf(settings, options.egress_approval);

  const toolOf = ({ name }: ToolCallContent) => tools.find(({ tool }) => tool === name);

  /** Whether a person has approved that a person is asked. */
  function isApprovedQuestion({ asked }: OpenStep, call: ToolCallContent): boolean {
    const { answer, definition } = asked.get(call.id) ?? {};
    const tool = toolOf(call);
    const isApproved = answer?.type === 'approval-decision' && answer.decision === 'approve';
    return isApproved && tool?.asks !== undefined && definition === digestTool(tool);
  }

  /** A question that needs approval is asked once it is approved. */
  function questionFor(call: ToolCallContent, open: OpenStep): Question | undefined {
    const tool = toolOf(call);
    if (!tool) return undefined;
    const { step } = open;
    const common = { step, id: newId(), call_id: call.id };
    const need = isApprovedQuestion(open, call)
      ? null
      : approvalNeed(tool, call, { settings, taint: options.taintAt(step), egress });
    if (!need) {
      const input = tool.asks && tool.input.safeParse(call.input);
      if (!tool.asks || !input?.success) return undefined;
      const { question, message, timeout } = tool.asks(input.data);
      const expires_at = timeout === null ? null : later(timeout);
      return { type: 'human-request', ...common, name: call.name, question, message, expires_at };
    }
    const own = entriesFor(settings, tool).map((entry) => Number(entry['approval_timeout']));
    const expires_at = later(own.find((seconds) => seconds > 0) ?? options.approval_timeout);
    const four_eyes = needsFourEyes(settings, tool) && ({ four_eyes: true } as const);
    const recipient = tool.recipient?.(need.input);
    return {
      ...{ type: 'approval-request', ...common, name: call.name, ...need, ...four_eyes },
      ...(recipient !== undefined && { recipient }),
      ...{ expires_at, definition: digestTool(tool) },
    };
  }

  async function* request(open: OpenStep): AsyncGenerator<RunEvent> {
    // Read anew each time: an approval that was ended covers nothing any more.
    let loaded: Promise<CoveringApproval[]> | undefined;
    const covers = () => (loaded ??= options.covering());
    const done = new Set(open.results.map(({ id }) => id));
    for (const call of open.calls) {
      if (done.has(call.id) || (open.asked.has(call.id) && !isApprovedQuestion(open, call))) continue;
      const question = questionFor(call, open);
      if (!question) continue;
      const covering = question.type === 'approval-request' && findCoveringApproval(question, await covers());
      if (covering) {
        const { id, scope, decided_by: by } = covering;
        if (!open.covered.has(call.id))
          yield { type: 'approval-covered', step: open.step, id, call_id: call.id, scope, by };
        open.covered.add(call.id);
        continue;
      }
      const definition = question.type === 'approval-request' ? question.definition : undefined;
      open.asked.set(call.id, { id: question.id, definition, answer: null });
      yield question;
    }
  }

  async function* takeAnswers(open: OpenStep): AsyncGenerator<RunEvent> {
    const unanswered = [...open.asked].filter(([, { answer }]) => answer === null);
    if (unanswered.length === 0 && (open.asked.size === 0 || open.resumed)) return;
    const rows = unanswered.length ? new Map((await options.requests()).map((row) => [row.id, row])) : new Map();
    const answers = unanswered.map(([call_id, { id }]) => answerEventOf(open.step, call_id, rows.get(id)));
    if (answers.includes(undefined)) return;
    for (const [index, [, asked]] of unanswered.entries()) {
      asked.answer = answers[index] ?? null;
      if (asked.answer) yield asked.answer;
    }
    open.resumed = true;
    yield { type: 'run-resume' };
  }

  return async function* consult(open: OpenStep): AsyncGenerator<RunEvent> {
    yield* request(open);
    yield* takeAnswers(open);
    if (open.calls.some((call) => isApprovedQuestion(open, call))) yield* request(open);
  };
}

/** The outcome of a call that was rejected or answered by a person; undefined when the call is to be made. */
export function outcomeFromDecision(
  { answer, definition }: Pick<CallRequest, 'answer' | 'definition'> = { answer: null },
  tool: Tool | undefined,
): ToolOutcome | undefined {
  if (!answer) return undefined;
  if (answer.type === 'human-answer') {
    if (answer.content === null) return outcomeWithoutResult('timeout', 'Nobody answered in time. Go on without them.');
    const output = { answer: answer.content };
    const account = { outcome: 'ok' as const, ms: 0, cost: 0, brings: [] };
    return { output, text: JSON.stringify(output), is_error: false, account };
  }
  if (answer.decision === 'approve') {
    if (!tool || definition === undefined || definition === digestTool(tool)) return undefined;
    return outcomeWithoutResult(
      'refused',
      'This tool was changed after a person was asked about the call, so it was not made.',
    );
  }
  const why = answer.by === null ? 'Nobody approved this call in time' : 'A person rejected this call';
  return outcomeWithoutResult(
    'rejected',
    `${why}, so it was not made.${answer.note ? ` They said: ${answer.note}` : ''}`,
  );
}
