import { z } from 'zod';
import type { TaggedSpan, Tagger } from './driver.ts';

const entities = ['PERSON', 'LOCATION', 'NRP'] as const;
const answerSchema = z.array(
  z.object({ entity_type: z.string(), start: z.int().min(0), end: z.int().min(0), score: z.number() }),
);

/** The score of another program is still a guess, so it stays below that of a checked value. */
const surest = 0.89;
const timeout_ms = 30_000;

/** Converts offsets in code points, as Python counts, to UTF-16 units. */
function unitsOf(text: string): (characters: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (characters) => Math.min(characters, text.length);
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  return (characters) => starts[characters] ?? text.length;
}

/**
 * Asks a service with the protocol of Presidio's analyzer. There is no fallback: when the service fails, the call
 * fails.
 */
export function makePresidioTagger({ url }: { url: string }): Tagger {
  return {
    async tag(text) {
      const response = await fetch(`${url}/analyze`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, language: 'en', entities }),
        signal: AbortSignal.timeout(timeout_ms),
      });
      if (!response.ok) throw new Error(`The tagger at ${new URL(url).host} answered with status ${response.status}.`);
      const toUnits = unitsOf(text);
      return answerSchema.parse(await response.json()).flatMap(({ entity_type, start, end, score }): TaggedSpan[] => {
        const entity = entities.find((one) => one === entity_type);
        if (!entity || end <= start) return [];
        return [{ entity, start: toUnits(start), end: toUnits(end), score: Math.min(surest, Math.max(0, score)) }];
      });
    },
  };
}
