import { chat } from './chat.ts';
import { chatParts } from './chat-parts.ts';
import { inbox } from './inbox.ts';
import { share } from './share.ts';
import { shell } from './shell.ts';
import { failures, ui } from './ui.ts';

/**
 * Texts of the interface; those with numbers are functions. Each area has a file of its own. The account, the first
 * start and the agents import theirs directly, so that the chat does not load them.
 */
export const t = {
  ...{ ui, failures, shell },
  ...{ chat, chatParts, share, inbox },
} as const;
