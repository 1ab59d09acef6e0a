import type { PiiEntity } from '@atrium/contract/settings/safety.ts';
import type { Span } from './ports.ts';

/** `<PERSON_1>`: numbers count up for each entity by first appearance, and the same value has the same number. */
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
