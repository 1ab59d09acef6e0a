/** What an agent says that may leave a message unanswered, and does. Channels are sent nothing then. */
export const noReply = '[no reply]';

/** What stands in the prompt where `transport_allow_noop` lets the agent answer with nothing. */
export const noReplyInstructions = `When a message needs no answer from you, reply with exactly ${noReply} and nothing else.`;

export const isNoReply = (text: string) => text.trim() === noReply;
