import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { MessageRow } from '../conversations/ports.ts';
import type { MessagePart } from '../messages/ports.ts';
import type { FindPii } from '../pii/ports.ts';
import { anonymize } from '../pii/service.ts';

/** The texts of a conversation, without private values. */
export interface AnonymizedTranscript {
  /** The messages of the users. */
  asked: string;
  /** The messages of both sides, anonymized on first use. */
  whole(): Promise<string>;
}

const max_asked = 8000;
const max_whole = 16_000;

const textOf = (parts: readonly MessagePart[]) =>
  parts
    .flatMap((part) => (part.type === 'user' || (part.type === 'text' && !part.advice) ? part.content : []))
    .join('\n');

/** Anonymizes a conversation regardless of its own settings: insights must not contain private values. */
export async function anonymizeTranscript(
  messages: readonly MessageRow[],
  findPii: FindPii,
): Promise<AnonymizedTranscript> {
  const said = messages.flatMap(({ role, parts }) => {
    const text = role === 'system' ? '' : textOf(parseStored<MessagePart[]>(parts)).trim();
    return text ? [{ role, text }] : [];
  });
  const hidden = async (text: string) => anonymize(text, await findPii(text, piiEntities));
  const asked = said
    .flatMap(({ role, text }) => (role === 'user' ? text : []))
    .join('\n')
    .slice(0, max_asked);
  const whole = said.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n\n');
  let hiddenWhole: Promise<string> | undefined;
  return {
    asked: await hidden(asked),
    whole() {
      hiddenWhole ??= hidden(whole.slice(-max_whole));
      return hiddenWhole;
    },
  };
}
