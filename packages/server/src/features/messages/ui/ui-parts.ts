import { required } from '../../../lib/required.ts';
import type { MessagePart } from '../ports.ts';
import type { EmittedEvent, UiChunk } from './chunk-types.ts';

type ApprovalPart = Extract<MessagePart, { type: 'approval' }>;
type FunctionPart = Extract<MessagePart, { type: 'function' }>;

/** A part of a message for screens. */
export type UiPart = { type: string } & Record<string, unknown>;

/** The parts that a client has after it has read these chunks. */
export function partsOfChunks(chunks: Iterable<UiChunk>): UiPart[] {
  const parts: UiPart[] = [];
  const stepStart = () => parts.findLastIndex(({ type }) => type === 'step-start') + 1;
  const open = () => parts.findLast(({ state }) => state === 'streaming') as UiPart & { text: string };
  const called = (id: string) => required(parts.findLast(({ toolCallId }) => toolCallId === id));

  for (const chunk of chunks)
    switch (chunk.type) {
      case 'start-step':
        parts.push({ type: 'step-start' });
        break;
      case 'reset-step':
        parts.splice(stepStart());
        break;
      case 'text-start':
        parts.push({ type: 'text', text: '', state: 'streaming' });
        break;
      case 'reasoning-start':
        parts.push({ type: 'reasoning', id: chunk.id, text: '', state: 'streaming' });
        break;
      case 'text-delta':
      case 'reasoning-delta':
        open().text += chunk.delta;
        break;
      case 'text-end':
      case 'reasoning-end':
        open().state = 'done';
        break;
      case 'tool-input-available': {
        const { type: _, toolName, ...call } = chunk;
        parts.push({ type: `tool-${toolName}`, state: 'input-available', ...call });
        break;
      }
      case 'tool-output-available':
      case 'tool-output-error': {
        const { type, ...result } = chunk;
        Object.assign(called(chunk.toolCallId), { state: type.slice('tool-'.length), ...result });
        break;
      }
      case 'tool-output-denied':
        called(chunk.toolCallId).state = 'output-denied';
        break;
      case 'tool-approval-request': {
        const approval = { id: chunk.approvalId, requestReason: chunk.reason };
        Object.assign(called(chunk.toolCallId), { state: 'approval-requested', approval });
        break;
      }
      case 'tool-approval-response': {
        const part = required(parts.findLast(({ approval }) => (approval as { id?: string })?.id === chunk.approvalId));
        const { approved, reason } = chunk;
        part.approval = { ...(part.approval as object), approved, ...(reason !== undefined && { reason }) };
        part.state = 'approval-responded';
        break;
      }
      case 'source-url':
      case 'source-document':
      case 'file':
        parts.push({ ...chunk });
        break;
      default: {
        if (!('data' in chunk) || chunk.transient) break;
        const there = parts.find(({ type, id }) => type === chunk.type && id === chunk.id);
        if (there) there.data = chunk.data;
        else parts.push({ ...chunk });
      }
    }
  return parts;
}

/** The events of a stored part. A call without a result had none when the run ended. */
function partEventsOf(
  part: Exclude<MessagePart, ApprovalPart>,
  step: number,
  index: number,
  asked: (id: string) => boolean,
): EmittedEvent[] {
  if (part.role === 'user' || part.type === 'error') return [];
  if (part.type === 'reasoning') return [{ type: 'reasoning-delta', step, text: part.content }];
  if (part.type === 'handover') return [{ type: 'handover', note: part.content }];
  if (part.type === 'human-request') {
    const { id, question, content: message } = part;
    return [{ type: 'human-request', step, id, call_id: '', name: '', question, message, expires_at: null }];
  }
  if (part.type === 'withheld') {
    const objections = part.categories.map((category) => ({ category, severity: 'severe' as const, reason: '' }));
    return [{ type: 'guardrail', stage: 'output', step, ms: 0, objections, action: part.action, retracts: true }];
  }
  if (part.type === 'footer') return [{ type: 'footer', text: part.content }];
  if (part.type === 'source') {
    const { url, title, content, place, images, number } = part;
    const rest = { ...(place && { place }), ...(images && { images }), ...(number && { number }) };
    return [{ type: 'source', step, id: `${index}`, url, title, quote: content || null, ...rest }];
  }
  if (part.type === 'file') {
    const [{ status: _, ...file }] = part.files;
    return [{ type: 'file', step, file: { ...file, inline: part.inline } }];
  }
  if (part.type === 'workflow_progress') return [{ type: 'workflow-progress', step, progress: part.progress }];
  if (part.type === 'state_transition') {
    const { id, from, to } = part;
    return [{ type: 'state-transition', step, id, from, to }];
  }
  if (part.type !== 'function')
    return [{ type: 'text-delta', step, text: part.content, ...(part.advice && { advice: part.advice }) }];
  const {
    tool_call_id: id = `call-${index}`,
    name = 'tool',
    arguments: input = null,
    content,
    is_error = false,
  } = part;
  const call: EmittedEvent = { type: 'tool-call', step, id, name, input };
  // The approval request comes between the call and its result.
  if (!content || asked(id)) return [call];
  return [call, { type: 'tool-result', step, id, name, output: content, is_error }];
}

/** The events of an approval: request, decision and, after the last one of a call, its result. */
function approvalEventsOf(
  part: ApprovalPart,
  { name, arguments: input, content, is_error }: FunctionPart,
  isLast: boolean,
): EmittedEvent[] {
  const { step, id, tool_call_id: call_id, reason, expires_at, decision, note } = part;
  const events: EmittedEvent[] = [{ type: 'approval-request', step, id, call_id, name, input, reason, expires_at }];
  if (decision) events.push({ type: 'approval-decision', step, id, call_id, decision, note, by: null });
  if (content && isLast) events.push({ type: 'tool-result', step, id: call_id, name, output: content, is_error });
  return events;
}

/** The events of a stored reply. */
export function eventsOfParts(parts: readonly MessagePart[]): EmittedEvent[] {
  const events: EmittedEvent[] = [];
  const callOf = (step: number, id: string) =>
    parts.find(
      (part): part is FunctionPart => part.type === 'function' && part.step === step && part.tool_call_id === id,
    );
  const isAsked = (step: number, id: string) =>
    parts.some((part) => part.type === 'approval' && part.step === step && part.tool_call_id === id);
  let current = 0;
  for (const [index, part] of parts.entries()) {
    const step = 'step' in part && part.step ? part.step : current;
    if (step !== current) events.push({ type: 'step-start', step }, { type: 'step-end', finish_reason: 'stop' });
    current = step;
    if (part.type === 'approval') {
      const call = callOf(step, part.tool_call_id);
      // A call is asked about again when its tool was changed meanwhile.
      const later = parts.slice(index + 1);
      const isLast = !later.some(
        (next) => next.type === 'approval' && next.step === step && next.tool_call_id === part.tool_call_id,
      );
      if (call) events.push(...approvalEventsOf(part, call, isLast));
    } else events.push(...partEventsOf(part, step, index, (id) => isAsked(step, id)));
  }
  const error = parts.find((part) => part.type === 'error');
  const failure = error && { code: error.code, message: error.content };
  return [...events, { type: 'run-end', status: failure ? 'failed' : 'completed', error: failure ?? null }];
}
