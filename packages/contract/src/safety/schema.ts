import * as z from 'zod';
import * as s from '../schema/schema.ts';
import { piiAllowList, piiEntities } from '../settings/keys/safety.ts';

/** The longest text of one request, in characters. */
const longest = 1_000_000;

export const piiRequest = s
  .object({
    text: s.str({ max: longest }).describe('The text to search.'),
    entities: s
      .withDefault(s.list(s.oneOf(piiEntities), { max: 100 }), () => [...piiEntities])
      .describe('The kinds of personal data to look for; all of them unless given.'),
    pii_allow: s
      .optional(piiAllowList)
      .describe('Words that are not to be found, as the setting `pii_allow` of an agent lists them.'),
  })
  .meta({ id: 'PiiRequest' });

const piiSpan = z.strictObject({
  entity: z.enum(piiEntities).describe('The kind of personal data.'),
  start: z.int().describe('Where the value starts in `text`, in UTF-16 code units.'),
  end: z.int().describe('The position after the last UTF-16 code unit of the value.'),
  score: z
    .number()
    .describe('The confidence, up to 1: 0.9 and more when a check such as a checksum passed, less for a guess.'),
});

export const piiAnswer = z
  .strictObject({
    spans: z.array(piiSpan).describe('The values that were found, sorted by position and without overlaps.'),
    anonymized_text: z
      .string()
      .describe(
        'The text with each value replaced by a placeholder such as `<PERSON_1>`; equal values share a number.',
      ),
  })
  .meta({ id: 'PiiAnswer' });

export type PiiRequest = z.output<typeof piiRequest>;
export type PiiAnswer = z.output<typeof piiAnswer>;
