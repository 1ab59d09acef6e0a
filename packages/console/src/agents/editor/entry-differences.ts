import { asBox, asList } from '../../forms/controls/control-props.ts';
import type { ReferenceKind } from '../../forms/reference-kinds.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** How an entry of a list differs; `before` is missing for a new one, `after` for one that was taken out. */
export interface EntryDifference {
  key: string;
  before: Entry | undefined;
  after: Entry | undefined;
}

/** The fields of entries that hold ids, with the kind of their records. */
const referenceFields: Readonly<Record<string, ReferenceKind>> = {
  ...{ kb_id: 'knowledge_base', workflow_id: 'workflow', agent_id: 'agent', approvers: 'person' },
  ...{ approver_groups: 'user_group', file_ids: 'file' },
};

/** The record that an entry stands for, where it names one by its id. */
export function recordOf(entry: Entry): { kind: ReferenceKind; id: string } | undefined {
  for (const name of ['kb_id', 'workflow_id', 'agent_id']) {
    const [id, kind] = [entry[name], referenceFields[name]];
    if (typeof id === 'string' && kind) return { kind, id };
  }
  return undefined;
}

/** What an entry is called, apart from its record. */
export function titleOf(entry: Entry): string | undefined {
  const words = ['name', 'term', 'title', 'condition', 'text', 'type'].map((key) => entry[key]);
  return words.find((word): word is string => typeof word === 'string' && word !== '')?.slice(0, 80);
}

const keyOf = (entry: Entry) => JSON.stringify([recordOf(entry)?.id ?? entry['id'], titleOf(entry)]);

/** The entries by what they are known by; two that are known by the same are told apart by their order. */
function byKey(value: unknown): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const item of asList(value)) {
    const entry = asBox(item);
    let key = keyOf(entry);
    while (found.has(key)) key += '+';
    found.set(key, entry);
  }
  return found;
}

const isEntry = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether these are lists of entries with fields of their own. */
export const areEntries = (...values: unknown[]): boolean =>
  values.some((value) => asList(value).length > 0) && values.every((value) => asList(value).every(isEntry));

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function differingEntries(before: unknown, after: unknown): EntryDifference[] {
  const [old, next] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((key) => ({ key, before: old.get(key), after: next.get(key) }))
    .filter((each) => !isSame(each.before, each.after));
}

/** The fields that differ between two entries. */
export const differingFields = (before: Entry, after: Entry): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isSame(before[key], after[key]));

/** The ids that a field holds, and of which kind; undefined for a field of plain values. */
export function idsIn(key: string, value: unknown): { kind: ReferenceKind; ids: string[] } | undefined {
  const kind = referenceFields[key];
  return kind && { kind, ids: (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string') };
}

/** A value in words: data by the names in it, never as JSON. */
export function sayPlainly(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value))
    return value.map((item) => (isEntry(item) ? (titleOf(asBox(item)) ?? '…') : String(item))).join(', ') || undefined;
  if (!isEntry(value)) return undefined;
  const { properties } = asBox(value);
  // A JSON Schema is known by its parameters.
  return Object.keys(isEntry(properties) ? asBox(properties) : asBox(value)).join(', ') || undefined;
}
