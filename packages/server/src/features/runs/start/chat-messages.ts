import type { MessagePart } from '../../messages/ports.ts';

type ChatPart = {
  part_kind: 'text' | 'thinking' | 'tool-call' | 'tool-return' | 'retry-prompt';
  content: string;
  timestamp: string;
  tool_name?: string;
  tool_call_id?: string;
  args?: unknown;
};

export type ChatMessage = {
  kind: 'request' | 'response';
  parts: ChatPart[];
  timestamp: string;
  instructions: null;
  run_id: string | null;
  metadata: Record<string, unknown> | null;
};

type Call = Extract<MessagePart, { type: 'function' }>;

/** Whether a call is still for a person to answer or to agree to: it has given nothing back, not even nothing. */
const waits = (call: Call, parts: readonly MessagePart[]) =>
  call.content === '' &&
  parts.some(
    (part) =>
      (part.type === 'approval' && part.tool_call_id === call.tool_call_id && part.decision === null) ||
      (part.type === 'human-request' && part.step === call.step),
  );

/**
 * Converts a reply to chat messages: the output of each step and its tool results. The last message always has a text,
 * even an empty one, because clients look for it.
 */
export function chatMessages(
  parts: readonly MessagePart[],
  {
    timestamp,
    run_id,
    metadata,
  }: { timestamp: string; run_id: string | null; metadata: Record<string, unknown> | null },
): ChatMessage[] {
  const message = (kind: ChatMessage['kind'], own: ChatPart[]): ChatMessage => ({
    kind,
    parts: own,
    timestamp,
    instructions: null,
    run_id,
    metadata: kind === 'response' ? metadata : null,
  });
  const messages: ChatMessage[] = [];
  const steps = [...new Set(parts.flatMap((part) => ('step' in part && part.step > 0 ? [part.step] : [])))];
  for (const step of steps) {
    const said: ChatPart[] = [];
    const returned: ChatPart[] = [];
    for (const part of parts) {
      if (!('step' in part) || part.step !== step) continue;
      const before = said.at(-1);
      // Clients read one text of a response.
      if (part.type === 'text' && part.advice && before?.part_kind === 'text') before.content += part.content;
      else if (part.type === 'text') said.push({ part_kind: 'text', content: part.content, timestamp });
      if (part.type === 'reasoning') said.push({ part_kind: 'thinking', content: part.content, timestamp });
      if (part.type !== 'function') continue;
      const tool = { tool_name: part.name, tool_call_id: part.tool_call_id, timestamp };
      said.push({ part_kind: 'tool-call', content: '', args: part.arguments, ...tool });
      if (waits(part, parts)) continue;
      returned.push({ part_kind: part.is_error ? 'retry-prompt' : 'tool-return', content: part.content, ...tool });
    }
    if (said.length) messages.push(message('response', said));
    if (returned.length) messages.push(message('request', returned));
  }
  const error = parts.find((part) => part.type === 'error');
  const last = messages.at(-1);
  if (error || last?.kind !== 'response' || !last.parts.some(({ part_kind }) => part_kind === 'text'))
    messages.push(message('response', [{ part_kind: 'text', content: error?.content ?? '', timestamp }]));
  return messages;
}
