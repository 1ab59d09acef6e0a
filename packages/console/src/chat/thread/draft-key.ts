/** Where the words of a conversation's composer are kept until they are sent. */
export const draftKeyOf = (conversationId: string) => `chat.${conversationId}`;
