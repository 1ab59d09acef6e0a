import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';

/** A placeholder and its value, in the order of assignment. */
export type PlaceholderEntry = readonly [placeholder: string, value: string];

const name = `(?:${piiEntities.join('|')})_[1-9]\\d{0,8}`;

/** `<PERSON_1>` in any case, also URL-encoded by a model. */
export const placeholderPattern = new RegExp(`<${name}>|%3C${name}%3E`, 'gi');

/** The placeholder without URL encoding. */
export const plainPlaceholder = (placeholder: string) =>
  placeholder.startsWith('%') ? `<${placeholder.slice(3, -3)}>` : placeholder;

export const entityOf = (placeholder: string) =>
  placeholder.slice(1, placeholder.lastIndexOf('_')).toUpperCase() as PiiEntity;

export interface Placeholders {
  /** The placeholder of a value; assigns a new one if needed. */
  of(entity: PiiEntity, value: string): string;
  valueOf(placeholder: string): string | undefined;
  /** Assigns this one to no value, since the operator's text holds it. */
  reserve(placeholder: string): void;
  /** The current entries; the list grows with new ones. */
  entries(): readonly PlaceholderEntry[];
  readonly size: number;
}

/**
 * Maps values to placeholders and back. A value keeps its placeholder as long as the conversation exists, so that
 * earlier messages stay meaningful to the model.
 */
export function makePlaceholders(entries: Iterable<PlaceholderEntry> = []): Placeholders {
  const list: PlaceholderEntry[] = [];
  const values = new Map<string, string>();
  const names = new Map<string, string>();
  const counts = new Map<PiiEntity, number>();

  function add(placeholder: string, value: string): void {
    const entity = entityOf(placeholder);
    const number = Number(placeholder.slice(placeholder.lastIndexOf('_') + 1, -1));
    list.push([placeholder, value]);
    values.set(placeholder, value);
    names.set(`${entity}\0${value}`, placeholder);
    counts.set(entity, Math.max(counts.get(entity) ?? 0, number));
  }
  const reserved = new Set<string>();
  for (const [placeholder, value] of entries) add(placeholder, value);

  return {
    of(entity: PiiEntity, value: string): string {
      const known = names.get(`${entity}\0${value}`);
      if (known) return known;
      let number = (counts.get(entity) ?? 0) + 1;
      while (reserved.has(`<${entity}_${number}>`)) number++;
      const placeholder = `<${entity}_${number}>`;
      add(placeholder, value);
      return placeholder;
    },
    reserve: (placeholder) => void reserved.add(placeholder.toUpperCase()),
    valueOf: (placeholder: string): string | undefined => values.get(placeholder.toUpperCase()),
    entries: (): readonly PlaceholderEntry[] => list,
    get size(): number {
      return list.length;
    },
  };
}
