import type { PiiEntity } from '../../settings/safety.ts';
import { entityOf, type Placeholders, placeholderPattern } from './placeholders.ts';

export interface Found {
  entity: PiiEntity;
  start: number;
  end: number;
}

/** Finds the listed entities in a text: in order, without overlaps. */
export type Find = (text: string, entities: readonly PiiEntity[]) => Promise<readonly Found[]>;

const wordAt = (text: string, at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));

/** Shorter ones stand in too many other words. */
const leastKnown = 3;

/** Where values that have a placeholder already stand, also where nothing around them tells what they are. */
function knownIn(text: string, placeholders: Placeholders, entities: readonly PiiEntity[]): Found[] {
  const found: Found[] = [];
  for (const [placeholder, value] of placeholders.entries()) {
    const entity = entityOf(placeholder);
    if (value.length < leastKnown || !entities.includes(entity)) continue;
    for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
      const end = start + value.length;
      const within = wordAt(value, 0) && start > 0 && wordAt(text, start - 1);
      if (!within && !(wordAt(value, value.length - 1) && wordAt(text, end))) found.push({ entity, start, end });
    }
  }
  return found;
}

/** Somebody's own text may look like a placeholder of ours. It gets one itself, so that it comes back as it was. */
const literalsIn = (text: string): Found[] =>
  text.includes('<')
    ? Array.from(text.matchAll(placeholderPattern), (match) => ({
        entity: entityOf(match[0]),
        start: match.index,
        end: match.index + match[0].length,
      }))
    : [];

/** Of those that overlap, the first named is kept: literals, then what was found, then what is known. */
function apart(...lists: (readonly Found[])[]): Found[] {
  const kept: Found[] = [];
  for (const list of lists)
    for (const span of list) if (!kept.some(({ start, end }) => span.start < end && start < span.end)) kept.push(span);
  return kept.sort((a, b) => a.start - b.start);
}

/** What is to be replaced in a text. */
export async function toHide(text: string, find: Find, placeholders: Placeholders, entities: readonly PiiEntity[]) {
  const found = text.trim() ? await find(text, entities) : [];
  return apart(literalsIn(text), found, placeholders.size ? knownIn(text, placeholders, entities) : []);
}

export function replaceSpans(text: string, spans: readonly Found[], placeholders: Placeholders): string {
  let hidden = '';
  let at = 0;
  for (const { entity, start, end } of spans) {
    hidden += text.slice(at, start) + placeholders.of(entity, text.slice(start, end));
    at = end;
  }
  return hidden + text.slice(at);
}
