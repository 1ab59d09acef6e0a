import { textOfContent } from './chat-dialect.ts';
import {
  argumentsOf,
  type Dialect,
  finishOf,
  type Json,
  pieces,
  type Reply,
  type ScriptedProvider,
  scriptedServer,
  tokensOf,
} from './scripted-server.ts';

const stopWords: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

/** Anthropic's input token count excludes tokens read from the cache. */
function inputUsage(reply: Reply) {
  const { input, cached } = tokensOf(reply);
  return { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
}

const callsOf = (reply: Reply) =>
  (reply.tool_calls ?? []).map(({ id, name, input }, index) => ({ id: id ?? `toolu_${index}`, name, input }));

type Block = { start: object; deltas: object[] };

function blocksOf(reply: Reply): Block[] {
  const thinking = (reply.reasoning ? [reply.reasoning] : []).map((thought) => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(thought).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: 'signed' },
    ],
  }));
  const text = (reply.text ? [reply.text] : []).map((said) => ({
    start: { type: 'text', text: '' },
    deltas: pieces(said, reply.deltas).map((piece) => ({ type: 'text_delta', text: piece })),
  }));
  const calls = callsOf(reply).map(({ id, name, input }) => ({
    start: { type: 'tool_use', id, name, input: {} },
    deltas: pieces(argumentsOf(input), 2).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  }));
  return [...thinking, ...text, ...calls];
}

const messagesDialect: Dialect = {
  frames(reply, body) {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(reply), output_tokens: 1 },
    };
    return [
      { type: 'message_start', message },
      ...blocksOf(reply).flatMap(({ start, deltas }, index) => [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: stopWords[finishOf(reply)], stop_sequence: null },
        usage: { output_tokens: tokensOf(reply).output },
      },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  whole: (reply, body) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [
      ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
      ...callsOf(reply).map((call) => ({ type: 'tool_use', ...call })),
    ],
    stop_reason: stopWords[finishOf(reply)],
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: tokensOf(reply).output },
  }),
  error: (_status, message) => ({ type: 'error', error: { type: 'api_error', message } }),
  asked: (body) =>
    textOfContent(
      body.messages.findLast(({ role, content }: Json) => role === 'user' && textOfContent(content))?.content,
    ),
};

/** A provider that speaks Anthropic's /messages. */
export const anthropicProvider = (): Promise<ScriptedProvider> => scriptedServer({ '/messages': messagesDialect });
