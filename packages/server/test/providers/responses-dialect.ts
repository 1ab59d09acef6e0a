import { textOfContent } from './chat-dialect.ts';
import { argumentsOf, type Dialect, finishOf, type Json, pieces, type Reply, tokensOf } from './scripted-server.ts';

function usageOf(reply: Reply) {
  const { input, cached, output, reasoning } = tokensOf(reply);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

const reasons: Record<string, string> = { length: 'max_output_tokens', 'content-filter': 'content_filter' };

function ending(reply: Reply) {
  const reason = reasons[finishOf(reply)];
  return {
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason ? { reason } : null,
    usage: usageOf(reply),
  };
}

type Event = { type: string } & Record<string, unknown>;

function reasoningEvents(reply: Reply): Event[] {
  if (!reply.reasoning) return [];
  const place = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed thoughts' };
  return [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.reasoning_summary_part.added', ...place },
    ...pieces(reply.reasoning).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_part.done', ...place },
    { type: 'response.output_item.done', output_index: 0, item },
  ];
}

function textEvents(reply: Reply): Event[] {
  if (!reply.text) return [];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  return [
    { type: 'response.output_item.added', output_index: 1, item },
    ...pieces(reply.text, reply.deltas).map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 1,
      delta,
    })),
    { type: 'response.output_item.done', output_index: 1, item },
  ];
}

const callItems = (reply: Reply) =>
  (reply.tool_calls ?? []).map(({ id, name, input }, index) => ({
    type: 'function_call',
    id: `fc_${index}`,
    call_id: id ?? `call_${index}`,
    name,
    arguments: argumentsOf(input),
    status: 'completed',
  }));

const callEvents = (reply: Reply): Event[] =>
  callItems(reply).flatMap((item, index) => {
    const place = { item_id: item.id, output_index: 2 + index };
    return [
      { type: 'response.output_item.added', output_index: 2 + index, item: { ...item, arguments: '' } },
      ...pieces(item.arguments, 2).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
      { type: 'response.output_item.done', output_index: 2 + index, item },
    ];
  });

/** OpenAI's /responses, as far as answers of text, thoughts and function calls go. */
export const responsesDialect: Dialect = {
  frames(reply, body) {
    const response = { id: 'resp_1', created_at: 1, model: body.model };
    const end = ending(reply);
    return [
      { type: 'response.created', response },
      ...reasoningEvents(reply),
      ...textEvents(reply),
      ...callEvents(reply),
      { type: `response.${end.status}`, response: { ...response, ...end } },
    ].map((event, sequence_number) => `data: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
  },
  whole: (reply, body) => ({
    id: 'resp_1',
    created_at: 1,
    model: body.model,
    output: [
      ...(reply.text
        ? [
            {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              content: [{ type: 'output_text', text: reply.text, annotations: [] }],
            },
          ]
        : []),
      ...callItems(reply),
    ],
    ...ending(reply),
  }),
  error: (status, message) => ({ error: { message, type: 'error', param: null, code: String(status) } }),
  asked: (body) => textOfContent(body.input.findLast(({ role }: Json) => role === 'user')?.content),
};
