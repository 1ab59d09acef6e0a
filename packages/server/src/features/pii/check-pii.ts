import type { PiiAnswer, PiiRequest } from '@atrium/contract/safety/schema.ts';
import { makeAllowedWords } from './allowed-words.ts';
import { anonymize } from './anonymize.ts';
import type { FindPii } from './ports.ts';

export interface PiiCheck {
  pii(piiRequest: PiiRequest): Promise<PiiAnswer>;
}

/** Tries out the detection of personal data on a text that is not stored. */
export function makePiiCheck({ findPii }: { findPii: FindPii }): PiiCheck {
  return {
    async pii({ text, entities, pii_allow }: PiiRequest): Promise<PiiAnswer> {
      const { allows } = makeAllowedWords(pii_allow ?? []);
      const found = await findPii(text, entities);
      const spans = found.filter(({ entity, start, end }) => !allows(entity, text.slice(start, end)));
      return { spans, anonymized_text: anonymize(text, spans) };
    },
  };
}
