import { z } from 'zod';
import * as s from '../schema/schema.ts';
import { piiEntities } from '../settings/safety.ts';

/** Longest text that is looked at in one request, in characters. */
const longest = 1_000_000;

export const piiRequest = s
  .object({
    text: s.str({ max: longest }),
    /** Which entities to look for; all of them when left out. */
    entities: s.withDefault(s.list(s.oneOf(piiEntities), { max: 100 }), () => [...piiEntities]),
  })
  .meta({ id: 'PiiRequest' });

const piiSpan = z.strictObject({
  entity: z.enum(piiEntities),
  /** Offsets in UTF-16 units; `end` is the place after the last one. */
  start: z.int(),
  end: z.int(),
  score: z.number(),
});

export const piiAnswer = z
  .strictObject({ spans: z.array(piiSpan), anonymized_text: z.string() })
  .meta({ id: 'PiiAnswer' });

export type PiiRequest = z.output<typeof piiRequest>;
export type PiiAnswer = z.output<typeof piiAnswer>;
