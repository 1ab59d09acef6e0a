import type { PiiAnswer, PiiRequest } from '@atrium/contract/safety/schema.ts';
import { anonymize } from './anonymize.ts';
import type { FindPii } from './ports.ts';

export interface PiiCheck {
  pii(piiRequest: PiiRequest): Promise<PiiAnswer>;
}

/** Tries out the detection of personal data on a text that is not stored. */
export function makePiiCheck({ findPii }: { findPii: FindPii }): PiiCheck {
  return {
    async pii({ text, entities }: PiiRequest): Promise<PiiAnswer> {
      const spans = await findPii(text, entities);
      return { spans, anonymized_text: anonymize(text, spans) };
    },
  };
}
