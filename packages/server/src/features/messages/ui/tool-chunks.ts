import { fieldsOf } from '../../../lib/json/fields-of.ts';
import type { ToolDisplay } from '../ports.ts';
import type { EventOf, ToolMetadata, UiChunk } from './chunk-types.ts';

const metadata = (icon: string | null, message: string | null): { toolMetadata?: ToolMetadata } =>
  icon === null && message === null ? {} : { toolMetadata: { icon, message } };

/** Providers number calls anew in each step, so the id of the part contains the step. */
const activity = (step: number, id: string, state: 'running' | 'done' | 'failed', message: string | null): UiChunk => ({
  type: 'data-tool-activity',
  id: `${step}-${id}`,
  data: { state, message },
});

/**
 * The result of a tool for screens. Stored messages only have the text that the model read, so streams parse that text too:
 * text that is a JSON object or list is shown as one.
 */
export function shownOutput(output: unknown): unknown {
  if (typeof output === 'object' && output !== null) return output;
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorText(output: unknown): string {
  const shown = shownOutput(output);
  if (typeof shown === 'string') return shown;
  const { error } = fieldsOf(shown);
  return typeof error === 'string' ? error : JSON.stringify(shown);
}

export function toolCall(event: EventOf<'tool-call'>, look: ToolDisplay): UiChunk {
  if (look.form === 'activity') return activity(event.step, event.id, 'running', look.message);
  return {
    type: 'tool-input-available',
    toolCallId: event.id,
    toolName: event.name,
    input: event.input,
    ...(look.title !== null && { title: look.title }),
    ...metadata(look.icon, look.start),
  };
}

export function toolResult(
  { step, id, output, is_error }: EventOf<'tool-result'>,
  look: ToolDisplay,
  denied: boolean,
): UiChunk {
  if (denied && look.form === 'whole') return { type: 'tool-output-denied', toolCallId: id };
  if (look.form === 'activity') return activity(step, id, is_error ? 'failed' : 'done', look.message);
  const common = { toolCallId: id, ...metadata(look.icon, look.end) };
  return is_error
    ? { type: 'tool-output-error', errorText: errorText(output), ...common }
    : { type: 'tool-output-available', output: shownOutput(output), ...common };
}

/**
 * A call that waits for approval. It is shown at the call; a call that is not shown whole gets a part of its own, so that
 * the person who decides sees it.
 */
export function approvalRequest(event: EventOf<'approval-request'>, look: ToolDisplay | undefined): UiChunk {
  const { id, name, input, reason, expires_at } = event;
  if (look?.form === 'whole')
    return { type: 'tool-approval-request', approvalId: id, toolCallId: event.call_id, reason };
  return { type: 'data-approval', id, data: { tool: name, arguments: input, reason, expires_at, decision: null } };
}

export function approvalResponse(event: EventOf<'approval-decision'>, look: ToolDisplay | undefined): UiChunk {
  const { id, decision, note } = event;
  const approved = decision === 'approve';
  if (look?.form === 'whole')
    return { type: 'tool-approval-response', approvalId: id, approved, ...(note !== null && { reason: note }) };
  return { type: 'data-approval', id, data: { decision, note } };
}
