import { argumentsOf, type Dialect, finishOf, type Json, pieces, type Reply, tokensOf } from './scripted-server.ts';

const finishWords: Record<string, string> = {
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};
const finishWord = (reply: Reply) => finishWords[finishOf(reply)] ?? finishOf(reply);

function usageOf(reply: Reply) {
  const { input, cached, output, reasoning } = tokensOf(reply);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const callsOf = (reply: Reply) =>
  (reply.tool_calls ?? []).map(({ id, name, input }, index) => ({
    index,
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: argumentsOf(input) },
  }));

export const textOfContent = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : ((content as { text?: string }[] | undefined) ?? []).map(({ text }) => text ?? '').join('');

/** OpenAI's /chat/completions, which most other servers speak too. */
export const chatDialect: Dialect = {
  frames(reply, body) {
    const chunk = (fields: object) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model, ...fields })}\n\n`;
    const delta = (fields: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta: fields, finish_reason }] });
    return [
      delta({ role: 'assistant', content: '' }),
      ...pieces(reply.reasoning ?? '').map((reasoning_content) => delta({ reasoning_content })),
      ...pieces(reply.text ?? '', reply.deltas).map((content) => delta({ content })),
      ...callsOf(reply).flatMap(({ function: { name, arguments: all }, ...call }) => [
        delta({ tool_calls: [{ ...call, function: { name, arguments: '' } }] }),
        ...pieces(all, 2).map((part) => delta({ tool_calls: [{ index: call.index, function: { arguments: part } }] })),
      ]),
      delta({}, finishWord(reply)),
      ...(body.stream_options?.include_usage ? [chunk({ choices: [], usage: usageOf(reply) })] : []),
      'data: [DONE]\n\n',
    ];
  },
  whole: (reply, body) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(reply.reasoning && { reasoning_content: reply.reasoning }),
          ...(reply.tool_calls && { tool_calls: callsOf(reply) }),
        },
        finish_reason: finishWord(reply),
      },
    ],
    usage: usageOf(reply),
  }),
  error: (status, message) => ({ error: { message, type: 'error', param: null, code: String(status) } }),
  asked: (body) => textOfContent(body.messages.findLast(({ role }: Json) => role === 'user')?.content),
};
