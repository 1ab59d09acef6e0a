import { piiEntities } from '@atrium/contract/settings/safety.ts';
import type { MessageRow } from '../conversations/ports.ts';
import type { MessagePart } from '../messages/ports.ts';
import { anonymize } from '../pii/anonymize.ts';
import type { FindPii } from '../pii/ports.ts';

/** A conversation as it is looked at: what was said, and nothing private of it. */
export interface AnonymizedTranscript {
  /** What people said. */
  asked: string;
  /** Both sides, one line for each message. Worked out when somebody wants it. */
  whole(): Promise<string>;
}

const longestAsked = 8000;
const longestWhole = 16_000;

const textOf = (parts: readonly MessagePart[]) =>
  parts.flatMap((part) => (part.type === 'user' || part.type === 'text' ? part.content : [])).join('\n');

/** Whatever the settings hide from models: nothing private goes into what is learnt from conversations. */
export async function talkOf(messages: readonly MessageRow[], findPii: FindPii): Promise<AnonymizedTranscript> {
  const said = messages.flatMap(({ role, parts }) => {
    const text = role === 'system' ? '' : textOf(JSON.parse(parts) as MessagePart[]).trim();
    return text ? [{ role, text }] : [];
  });
  const hidden = async (text: string) => anonymize(text, await findPii(text, piiEntities));
  const asked = said
    .flatMap(({ role, text }) => (role === 'user' ? text : []))
    .join('\n')
    .slice(0, longestAsked);
  const whole = said.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n\n');
  let hiddenWhole: Promise<string> | undefined;
  return {
    asked: await hidden(asked),
    whole() {
      hiddenWhole ??= hidden(whole.slice(-longestWhole));
      return hiddenWhole;
    },
  };
}
