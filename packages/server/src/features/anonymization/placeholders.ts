import { type PiiEntity, piiEntities } from '@atrium/contract/settings/safety.ts';

/** A placeholder and what it stands for, in the order they were given out. */
export type PlaceholderEntry = readonly [placeholder: string, value: string];

const name = `(?:${piiEntities.join('|')})_[1-9]\\d{0,8}`;

/** `<PERSON_1>` in whatever case a model writes it, also as it stands in an address that a model has put together. */
export const placeholderPattern = new RegExp(`<${name}>|%3C${name}%3E`, 'gi');

/** Without what an address makes of it. */
export const plainPlaceholder = (placeholder: string) =>
  placeholder.startsWith('%') ? `<${placeholder.slice(3, -3)}>` : placeholder;

export const entityOf = (placeholder: string) =>
  placeholder.slice(1, placeholder.lastIndexOf('_')).toUpperCase() as PiiEntity;

export interface Placeholders {
  /** The placeholder of a value, a new one when it has none yet. */
  of(entity: PiiEntity, value: string): string;
  valueOf(placeholder: string): string | undefined;
  /** As they are now; it grows with them. */
  entries(): readonly PlaceholderEntry[];
  readonly size: number;
}

/**
 * Which placeholder stands for which value, both ways. The same value has the same placeholder for as long as the
 * conversation lives, so that what a model was told yesterday still makes sense to it today.
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
  for (const [placeholder, value] of entries) add(placeholder, value);

  return {
    of(entity: PiiEntity, value: string): string {
      const known = names.get(`${entity}\0${value}`);
      if (known) return known;
      const placeholder = `<${entity}_${(counts.get(entity) ?? 0) + 1}>`;
      add(placeholder, value);
      return placeholder;
    },
    valueOf: (placeholder: string): string | undefined => values.get(placeholder.toUpperCase()),
    entries: (): readonly PlaceholderEntry[] => list,
    get size(): number {
      return list.length;
    },
  };
}
