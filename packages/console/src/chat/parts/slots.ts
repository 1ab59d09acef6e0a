import type { ChatSlots } from '../slots.ts';
import { later } from './later.tsx';

/** What fills the places of the chat. */
export const chatSlots: ChatSlots = {
  ComposerAttachments: later(() => import('./composer-attachments.tsx').then((file) => file.ComposerAttachments)),
  ComposerTools: later(() => import('./attach-button.tsx').then(({ AttachButton }) => AttachButton)),
  HeaderActions: later(() => import('../share/header-actions.tsx').then(({ HeaderActions }) => HeaderActions)),
  DetailsPanel: later(() => import('../details/details-panel.tsx').then(({ DetailsPanel }) => DetailsPanel)),
  MessageActions: later(() => import('./feedback-buttons.tsx').then(({ FeedbackButtons }) => FeedbackButtons)),
  AboveComposer: later(() => import('./take-over.tsx').then(({ TakeOver }) => TakeOver)),
};
