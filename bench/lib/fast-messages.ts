/** The frames of Anthropic's `/messages`, for a provider that answers at once. */
const event = (fields: { type: string; [field: string]: unknown }) =>
  `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
const usage = { input_tokens: 50, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fast', content: [], stop_reason: null };

export const messagesFrames = {
  begin:
    event({ type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  word: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } }),
  end: (words: number) =>
    event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: words } }) +
    event({ type: 'message_stop' }),
};
