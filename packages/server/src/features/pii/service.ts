import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import type { Tagger } from '../../drivers/taggers/driver.ts';
import { makeYieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { cutDates } from './cut-dates.ts';
import { findByStretches } from './find-by-stretches.ts';
import { fold } from './fold-text.ts';
import type { FindPii, Recogniser, Span } from './ports.ts';
import { creditCard } from './recognisers/credit-card.ts';
import { crypto } from './recognisers/crypto.ts';
import { dateTime } from './recognisers/date-time.ts';
import { email } from './recognisers/email.ts';
import { iban } from './recognisers/iban.ts';
import { ipAddress } from './recognisers/ip-address.ts';
import { medicalLicense } from './recognisers/medical-license.ts';
import { phone } from './recognisers/phone.ts';
import { url } from './recognisers/url.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';

export const patternRecognisers: readonly Recogniser[] = [
  email,
  phone,
  creditCard,
  crypto,
  ipAddress,
  dateTime,
  medicalLicense,
  url,
  iban,
];

const tagged = piiEntities.filter((entity) => !patternRecognisers.some(({ entities }) => entities.includes(entity)));

/** Prompts are full of these words, and they are not names. */
const formats = /^(?:api|css|csv|html|https?|json|markdown|pdf|sql|url|xml|yaml)$/i;

export { type AllowedWords, makeAllowedWords, nothingAllowed } from './allowed-words.ts';
export { anonymize } from './anonymize.ts';
export { resolveOverlaps } from './resolve-overlaps.ts';

export function makeFindPii({ tagger }: { tagger: Tagger }): FindPii {
  return async (text, entities) => {
    const wanted = new Set(entities);
    const folded = fold(text);
    const found: Span[] = [];
    const breathe = makeYieldToEventLoop();
    for (const recogniser of patternRecognisers) {
      if (!recogniser.entities.some((entity) => wanted.has(entity))) continue;
      const spans = await findByStretches(folded.text, recogniser.find, breathe);
      for (const span of spans) if (wanted.has(span.entity)) found.push(span);
      await breathe();
    }
    // The tagger finds names; it splits long texts itself.
    if (tagged.some((entity) => wanted.has(entity))) {
      const names = (await tagger.tag(folded.text)).filter(
        ({ entity, start, end }) => wanted.has(entity) && !formats.test(folded.text.slice(start, end)),
      );
      const dates = found.filter(({ entity }) => entity === 'DATE_TIME');
      found.push(...cutDates(folded.text, names, dates));
    }
    return resolveOverlaps(found).map((span) => ({
      ...span,
      start: folded.startOf(span.start),
      end: folded.endOf(span.end),
    }));
  };
}
