/** The face of stored messages: how they are built from run events, shown to users and sent to models. */
export { renderClientTerms, selectTools, textsOfClientTerms } from './client-terms.ts';
export { channelDisplay, displayFor, displayOf, footerText } from './display.ts';
export { estimateMessages, estimateTokens, estimateTools } from './estimate-tokens.ts';
export { dropHiddenParts, hiddenPartsFor } from './hidden-parts.ts';
export { mostInputTokens } from './most-input-tokens.ts';
export { makeReply } from './reply.ts';
export { replyMessages } from './reply-messages.ts';
export { applyRetractions, dropWithheldText, isRetraction } from './retractions.ts';
export { makeChunks } from './ui/chunks.ts';
export { toUiMessage } from './ui/ui-message.ts';
export type { UiPart } from './ui/ui-parts.ts';
