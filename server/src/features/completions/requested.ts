import { invalid } from '../../lib/errors.ts';
import type { MessagePart } from '../runs/message-parts.ts';
import type { CompletionRequest } from './schema.ts';

type Message = CompletionRequest['messages'][number];

export interface UserTurn {
  role: 'user';
  /** Its place among the messages, for faults to name. */
  at: number;
  text: string;
  images: string[];
}

export type Turn = UserTurn | { role: 'assistant'; parts: MessagePart[] };

export interface Requested {
  /** What the system or the developer says: instructions of this call. */
  instructions: string[];
  history: Turn[];
  /** What is to be answered. */
  last: UserTurn;
}

const textOf = ({ content }: Message) => content.flatMap(({ type, text }) => (type === 'text' ? text : [])).join('\n');

const userTurn = (message: Message, at: number): UserTurn => ({
  role: 'user',
  at,
  text: textOf(message),
  images: message.content.flatMap(({ type, image_url }) => (type === 'image_url' && image_url ? image_url.url : [])),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Tools of another agent that the client talked to before: kept as they were called, with what they gave back. */
function assistantTurn(message: Message, results: ReadonlyMap<string, string>): Turn {
  const text = textOf(message);
  const said: MessagePart[] = text ? [{ role: 'assistant', type: 'text', content: text, step: 1 }] : [];
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: input } }): MessagePart => ({
      role: 'function',
      type: 'function',
      content: results.get(id) ?? '',
      step: 1,
      name,
      tool_call_id: id,
      arguments: parsed(input),
      is_error: false,
    }),
  );
  return { role: 'assistant', parts: [...said, ...calls] };
}

const saysNothing = (turn: Turn) =>
  turn.role === 'user' ? !turn.text.trim() && turn.images.length === 0 : turn.parts.length === 0;

/** The messages of a request by what they are for: to instruct, to be remembered, to be answered. */
export function requested(messages: readonly Message[]): Requested {
  for (const [at, { role, content }] of messages.entries())
    if (role !== 'user' && content.some(({ type }) => type === 'image_url'))
      throw invalid(['body', 'messages', String(at), 'content'], 'only a user can send images', role);

  const results = new Map(messages.flatMap((m) => (m.tool_call_id ? [[m.tool_call_id, textOf(m)] as const] : [])));
  const instructions: string[] = [];
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') turns.push(userTurn(message, at));
    else if (message.role === 'assistant') turns.push(assistantTurn(message, results));
    else if (message.role !== 'tool' && textOf(message).trim()) instructions.push(textOf(message));
  }
  const last = turns.pop();
  const ends = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')?.role;
  if (last?.role !== 'user' || ends !== 'user' || saysNothing(last))
    throw invalid(['body', 'messages'], 'the last message should be what a user says', ends ?? null);
  return { instructions, history: turns.filter((turn) => !saysNothing(turn)), last };
}
