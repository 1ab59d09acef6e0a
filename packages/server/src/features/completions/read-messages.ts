import type { CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { invalid } from '@atrium/contract/errors.ts';
import type { MessagePart } from '../messages/ports.ts';

type Message = CompletionRequest['messages'][number];

export interface UserTurn {
  role: 'user';
  /** Its index among the messages, for validation errors. */
  at: number;
  text: string;
  images: string[];
}

export type AssistantTurn = { role: 'assistant'; parts: MessagePart[] };
export type Turn = UserTurn | AssistantTurn;

/** The messages of a request by their purpose. */
export interface ReadMessages {
  /** The texts of system and developer messages. */
  instructions: string[];
  history: Turn[];
  /** The user message to answer. */
  last: UserTurn;
  /** The turns after it: calls of the client's tools with their results. */
  since: AssistantTurn[];
}

/** Numbers the parts of turns as steps of one reply, in their order. */
export function stepsOf(turns: readonly AssistantTurn[]): MessagePart[] {
  let step = 0;
  return turns.flatMap(({ parts }) => {
    const steps = new Map<number, number>();
    return parts.map((part) => {
      const own = 'step' in part ? part.step : 0;
      if (!steps.has(own)) steps.set(own, ++step);
      return { ...part, step: steps.get(own) ?? step };
    });
  });
}

const textOf = ({ content }: Message) => content.flatMap(({ type, text }) => (type === 'text' ? text : [])).join('\n');

const userTurn = (message: Message, at: number): UserTurn => ({
  role: 'user',
  at,
  text: textOf(message),
  images: message.content.flatMap(({ type, image_url }) => (type === 'image_url' && image_url ? image_url.url : [])),
});

/** Parses arguments; text that is not JSON stays text. */
export const readArguments = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** An assistant message with its tool calls; the results come with later tool messages. */
function assistantTurn(message: Message): AssistantTurn {
  const text = textOf(message);
  const texts: MessagePart[] = text ? [{ role: 'assistant', type: 'text', content: text, step: 1 }] : [];
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: input } }): MessagePart => ({
      role: 'function',
      type: 'function',
      content: '',
      step: 1,
      name,
      tool_call_id: id,
      arguments: readArguments(input),
      is_error: false,
    }),
  );
  return { role: 'assistant', parts: [...texts, ...calls] };
}

/** The call that a tool message answers: the newest with its id. */
const findCall = (turns: readonly Turn[], id: string | undefined) =>
  turns
    .flatMap((turn) => (turn.role === 'assistant' ? turn.parts : []))
    .findLast((part) => part.type === 'function' && part.tool_call_id === id);

const isEmptyTurn = (turn: Turn) =>
  turn.role === 'user' ? !turn.text.trim() && turn.images.length === 0 : turn.parts.length === 0;

function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  const answered = new Set<MessagePart>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') turns.push(userTurn(message, at));
    else if (message.role === 'assistant') turns.push(assistantTurn(message));
    else if (message.role === 'tool') {
      const call = findCall(turns, message.tool_call_id);
      if (!call)
        throw invalid(
          ['body', 'messages', String(at), 'tool_call_id'],
          'no message before it has a call of this id',
          message.tool_call_id ?? null,
        );
      call.content = textOf(message);
      answered.add(call);
    }
  }
  // The next model call needs the results of all calls.
  const last = turns.at(-1);
  const missing = (last?.role === 'assistant' ? last.parts : []).find(
    (part) => part.type === 'function' && !answered.has(part),
  );
  if (missing?.type === 'function')
    throw invalid(['body', 'messages'], `the call ${missing.tool_call_id} has no tool message`, missing.tool_call_id);
  return turns;
}

/** Sorts the messages of a request into instructions, history and the message to answer. */
export function readMessages(messages: readonly Message[]): ReadMessages {
  for (const [at, { role, content }] of messages.entries())
    if (role !== 'user' && content.some(({ type }) => type === 'image_url'))
      throw invalid(['body', 'messages', String(at), 'content'], 'only a user can send images', role);

  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .filter((text) => text.trim());
  const turns = turnsOf(messages);
  const at = turns.findLastIndex(({ role }) => role === 'user');
  const last = turns[at];
  const ends = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')?.role;
  if (last?.role !== 'user' || (ends !== 'user' && ends !== 'tool') || isEmptyTurn(last))
    throw invalid(
      ['body', 'messages'],
      'the last message should be what a user says, or what a tool gave back to answer it',
      ends ?? null,
    );
  const since = turns.slice(at + 1).filter((turn) => turn.role === 'assistant');
  return { instructions, history: turns.slice(0, at).filter((turn) => !isEmptyTurn(turn)), last, since };
}
