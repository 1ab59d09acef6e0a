import type { ModelMessage } from '../../drivers/models/driver.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { placeholderPattern } from './placeholders.ts';

const withoutNumber = (text: string) =>
  text.replace(placeholderPattern, (placeholder) => placeholder.replace(/_\d+(?=>|%3E)/i, '').toUpperCase());

const unnumbered = (message: ModelMessage): ModelMessage =>
  message.role === 'user'
    ? {
        role: 'user',
        parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: withoutNumber(part.text) } : part)),
      }
    : message;

/**
 * For embeddings: every address becomes `<EMAIL_ADDRESS>`, so that a document and a question that were anonymized years
 * apart are similar. Nothing is revealed, since no text comes back.
 */
export const makeUnnumberedAnonymizer = (anonymizer: Anonymizer): Anonymizer => ({
  async anonymize(request) {
    const hidden = await anonymizer.anonymize(request);
    return { ...hidden, messages: hidden.messages.map(unnumbered) };
  },
  restore: (parts) => parts,
});
