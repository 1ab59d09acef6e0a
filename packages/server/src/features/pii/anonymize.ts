import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import type { Span } from './ports.ts';

/**
 * Replaces values by placeholders such as `<PERSON_1>`: each entity counts from 1 by first appearance, and equal values
 * share a number.
 */
export function anonymize(text: string, spans: readonly Span[]): string {
  const numbers = new Map<PiiEntity, Map<string, number>>();
  let out = '';
  let from = 0;
  for (const { entity, start, end } of spans) {
    const known = numbers.get(entity) ?? new Map<string, number>();
    numbers.set(entity, known);
    const value = text.slice(start, end);
    const number = known.get(value) ?? known.size + 1;
    known.set(value, number);
    out += `${text.slice(from, start)}<${entity}_${number}>`;
    from = end;
  }
  return out + text.slice(from);
}
