import { anonymize } from './pii/anonymize.ts';
import type { FindPii } from './pii/find.ts';
import type { PiiAnswer, PiiRequest } from './schema.ts';

export type SafetyChecks = ReturnType<typeof makeSafetyChecks>;

/** Doors to try out what protects conversations, on a text that is kept nowhere. */
export function makeSafetyChecks({ findPii }: { findPii: FindPii }) {
  return {
    async pii({ text, entities }: PiiRequest): Promise<PiiAnswer> {
      const spans = await findPii(text, entities);
      return { spans, anonymized_text: anonymize(text, spans) };
    },
  };
}
