import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { newId } from '../../lib/ids.ts';
import type { InheritedApprovers } from '../../lib/scope.ts';
import type { Tool } from '../tools/ports.ts';
import { outcomeWithoutResult, type ToolOutcome } from '../tools/service.ts';
import { approvalNeed, approversOf, entriesFor, needsFourEyes } from './approval-need.ts';
import { findCoveringApproval } from './approval-scope.ts';
import { type EgressRule, egressModeOf } from './egress-mode.ts';
import { inheritedFor, withInherited } from './inherited-approvers.ts';
import type { CallRequest, OpenStep, RequestRow } from './ports.ts';
import type { CoveringApproval } from './request-store.ts';
import { readToolState } from './tool-digest.ts';

type Question = Extract<RunEvent, { type: 'approval-request' | 'human-request' }>;

export interface ApprovalRequesterOptions {
  tools: readonly Tool[];
  settings: Settings;
  /** Who was named by the agents and calls that this run was started by. */
  inherited?: readonly InheritedApprovers[] | undefined;
  /** The taint of the conversation when the model wrote the calls of this step. */
  taintAt(step: number): ReadonlySet<Taint>;
  /** The operator's word on the egress rule. */
  egress_approval: EgressRule;
  /** Seconds until an approval expires, where the tool's entry does not say. */
  approval_timeout: number;
  /** The requests of this run with their current status. */
  requests(): Promise<RequestRow[]>;
  /** Whether the call may have been made before a crash; it is not offered for approval a second time. */
  mayHaveRun?(call: ToolCallContent): boolean;
  /** The approvals that cover later calls of the conversation now. */
  covering(): Promise<CoveringApproval[]>;
}

/** The most records beneath a tool that an approval shows. */
const mostShown = 100;

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
    ...(status === 'withdrawn' && { withdrawn: true as const }),
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

  /** Whether a call was approved, and its tool is still the one that the person was shown. */
  async function standingOf({ asked }: OpenStep, call: ToolCallContent): Promise<'other' | 'approved' | 'changed'> {
    const { answer, definition } = asked.get(call.id) ?? {};
    const tool = toolOf(call);
    if (!tool || answer?.type !== 'approval-decision' || answer.decision !== 'approve') return 'other';
    if (definition === undefined && !tool.asks) return 'approved';
    return definition === (await readToolState(tool)).digest ? 'approved' : 'changed';
  }
  const isApprovedQuestion = async (open: OpenStep, call: ToolCallContent) =>
    toolOf(call)?.asks !== undefined && (await standingOf(open, call)) === 'approved';

  /** The digests of all tools that send. A tool whose state can't be read is left out, so that no scope covers it. */
  async function readSenders(): Promise<Record<string, string>> {
    const senders = tools.filter(({ sends }) => sends);
    const states = await Promise.allSettled(senders.map(readToolState));
    return Object.fromEntries(
      states.flatMap((state, at) => (state.status === 'fulfilled' ? [[senders[at]?.tool, state.value.digest]] : [])),
    );
  }

  function humanQuestion(tool: Tool, call: ToolCallContent, common: { step: number; id: string; call_id: string }) {
    const input = tool.asks && tool.input.safeParse(call.input);
    if (!tool.asks || !input?.success) return undefined;
    const { question, message, timeout } = tool.asks(input.data);
    const expires_at = timeout === null ? null : later(timeout);
    return { type: 'human-request' as const, ...common, name: call.name, question, message, expires_at };
  }

  /** A question that needs approval is asked once it is approved. */
  async function questionFor(call: ToolCallContent, open: OpenStep): Promise<Question | undefined> {
    const tool = toolOf(call);
    if (!tool) return undefined;
    const { step } = open;
    const common = { step, id: newId(), call_id: call.id };
    const need = (await isApprovedQuestion(open, call))
      ? null
      : approvalNeed(tool, call, { settings, taint: options.taintAt(step), egress });
    if (!need) return humanQuestion(tool, call, common);
    const own = entriesFor(settings, tool).map((entry) => Number(entry['approval_timeout']));
    const expires_at = later(own.find((seconds) => seconds > 0) ?? options.approval_timeout);
    const above = inheritedFor(tool.tool, options.inherited);
    const four_eyes = (above.four_eyes || needsFourEyes(settings, tool)) && ({ four_eyes: true } as const);
    const recipient = tool.recipient?.(need.input);
    const { digest, reach } = await readToolState(tool);
    const recipients = [...new Set([...(recipient === undefined ? [] : [recipient]), ...(reach?.recipients ?? [])])];
    return {
      ...{ type: 'approval-request', ...common, name: call.name, ...need, ...four_eyes },
      ...withInherited(approversOf(settings, tool, need.input), above),
      ...(need.reason === 'egress' && { has_read: [...options.taintAt(step)].sort() }),
      ...(recipient !== undefined && { recipient }),
      ...(recipients.length > 0 && { recipients }),
      ...(reach && reach.beneath.length > 0 && { beneath: reach.beneath.slice(0, mostShown) }),
      ...{ expires_at, definition: digest },
      // Only the egress rule has scopes.
      ...(need.reason === 'egress' && { definitions: await readSenders() }),
    };
  }

  const isAskable = async (open: OpenStep, call: ToolCallContent) =>
    !open.asked.has(call.id) || (await isApprovedQuestion(open, call));
  /** An approved question is asked of a person; a call whose tool was changed needs approval as it is now. */
  const mayAskAgain = async (open: OpenStep, call: ToolCallContent) =>
    (await isApprovedQuestion(open, call)) ||
    (!options.mayHaveRun?.(call) && (await standingOf(open, call)) === 'changed');

  async function* request(open: OpenStep): AsyncGenerator<RunEvent> {
    // Read anew each time: an approval that was ended covers nothing any more.
    let loaded: Promise<CoveringApproval[]> | undefined;
    const covers = () => (loaded ??= options.covering());
    const done = new Set(open.results.map(({ id }) => id));
    for (const call of open.calls) {
      if (done.has(call.id) || (open.asked.has(call.id) && !(await mayAskAgain(open, call)))) continue;
      const question = await questionFor(call, open);
      if (!question) continue;
      // A question to a person about a tool that was changed would be lost in the answer of the one before.
      if (question.type === 'human-request' && !(await isAskable(open, call))) continue;
      const covering = question.type === 'approval-request' && findCoveringApproval(question, await covers());
      if (covering) {
        const { id, scope, decided_by: by } = covering;
        if (!open.covered.has(call.id))
          yield { type: 'approval-covered', step: open.step, id, call_id: call.id, scope, by };
        open.covered.set(call.id, question.definition);
        open.asked.delete(call.id);
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
    if (open.asked.size > 0) yield* request(open);
  };
}

/** What people have said about a call, right before it is made. */
export interface DecidedCall {
  /** Set when the call is not made: it was rejected, answered by a person, or its tool was changed. */
  outcome?: ToolOutcome;
  /** The digest of what lies beneath the tool, for a call that a person has approved: the work it starts is held to it. */
  approved_reach?: string;
}

const changedTool = () =>
  outcomeWithoutResult(
    'refused',
    'This tool, or something beneath it, was changed after a person was asked about the call, so it was not made.',
  );

/** The call may have waited for others of its step since its tool was compared, so it is compared once more. */
async function compareTool(tool: Tool | undefined, definition: string | undefined): Promise<DecidedCall> {
  if (!tool || definition === undefined) return {};
  const { digest, reach } = await readToolState(tool);
  if (digest !== definition) return { outcome: changedTool() };
  return reach ? { approved_reach: reach.digest } : {};
}

function personsAnswer(content: string | null): ToolOutcome {
  if (content === null) return outcomeWithoutResult('timeout', 'Nobody answered in time. Go on without them.');
  const output = { answer: content };
  const account = { outcome: 'ok' as const, ms: 0, cost: 0, brings: [] };
  return { output, text: JSON.stringify(output), is_error: false, account };
}

export async function resolveDecision(
  { asked, covered }: Pick<OpenStep, 'asked' | 'covered'>,
  call_id: string,
  tool: Tool | undefined,
): Promise<DecidedCall> {
  const { answer = null, definition } = asked.get(call_id) ?? {};
  if (!answer) return compareTool(tool, covered.get(call_id));
  if (answer.type === 'human-answer') return { outcome: personsAnswer(answer.content) };
  if (answer.decision === 'approve') return compareTool(tool, definition);
  const decided = answer.by === null ? 'Nobody approved this call in time' : 'A person rejected this call';
  const why = answer.withdrawn ? 'Whoever asked for this call withdrew the request' : decided;
  const note = answer.note ? ` They said: ${answer.note}` : '';
  return { outcome: outcomeWithoutResult('rejected', `${why}, so it was not made.${note}`) };
}
