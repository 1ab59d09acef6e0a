import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { findUnknownReferences, unknownReference } from './check-references.ts';
import type { Reference, ReferenceCheckers, ReferenceLookups } from './ports.ts';

type Named = Pick<Reference, 'kind' | 'id'>;
/** The record of this workspace that a reference of the file points to; null when there is none. */
export type ReferenceTargetOf = (kind: ReferenceKind, id: string) => string | null;

/** The same id may name records of two kinds, and is written in either case. */
export const referenceKey = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id.toLowerCase()}`;

/** Each target of the mapping must be a record of this workspace: of the kinds it is used as, or of any kind when unused. */
async function checkMapping(
  scope: Scope,
  used: readonly Named[],
  mapping: Readonly<Record<string, string>>,
  references: ReferenceCheckers,
): Promise<void> {
  const kindsOf = new Map<string, Set<ReferenceKind>>();
  for (const { kind, id } of used)
    kindsOf.set(id.toLowerCase(), (kindsOf.get(id.toLowerCase()) ?? new Set()).add(kind));
  // Programs, addresses and the variables of databases are not referred to by id.
  const records = omit(references, ['programs', 'refusalOf', 'variable_names']);
  const any = keysOf(records);
  const asked = Object.entries(mapping).map(([from, id]) => {
    const kinds = kindsOf.get(from.toLowerCase());
    return { loc: ['body', 'mapping', from], id, used: kinds !== undefined, kinds: [...(kinds ?? any)] };
  });
  const pairs = asked.flatMap(({ id, kinds }) => kinds.map((kind) => ({ kind, id })));
  const unknown = new Set((await findUnknownReferences(scope, pairs, references)).map(referenceKey));
  const validationErrors = asked.flatMap(({ loc, id, used, kinds }): ValidationError[] => {
    const wrong = kinds.filter((kind) => unknown.has(referenceKey({ kind, id })));
    if (used) return wrong.map((kind) => unknownReference({ kind, id, loc }));
    return wrong.length === kinds.length ? [unknownReference({ kind: 'record', id, loc })] : [];
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
}

/** Records of the same kind with the same name; a name that two records have matches none. */
async function byName(
  scope: Scope,
  unknown: readonly Named[],
  nameOf: (one: Named) => string | null,
  lookups: ReferenceLookups,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const kind of new Set(unknown.map((one) => one.kind))) {
    const wanted = unknown.flatMap((one) => (one.kind === kind ? [{ one, name: nameOf(one) }] : []));
    const names = [...new Set(wanted.flatMap(({ name }) => name ?? []))];
    const records = names.length ? ((await lookups[kind]?.byName(scope, names)) ?? []) : [];
    const named = Map.groupBy(records, ({ name }) => name);
    for (const { one, name } of wanted) {
      const [record, second] = (name !== null && named.get(name)) || [];
      if (record && !second) found.set(referenceKey(one), record.id);
    }
  }
  return found;
}

export function makeResolver({ references, lookups }: { references: ReferenceCheckers; lookups: ReferenceLookups }) {
  /** The target from the mapping, else the same id, else the only record with that name, else none. */
  return async (
    scope: Scope,
    used: readonly Named[],
    file: { mapping: Readonly<Record<string, string>>; nameOf: (one: Named) => string | null },
  ): Promise<ReferenceTargetOf> => {
    await checkMapping(scope, used, file.mapping, references);
    const mapped = new Map(Object.entries(file.mapping).map(([from, to]) => [from.toLowerCase(), to]));
    const once = new Map<string, Named>(used.map((one) => [referenceKey(one), one]));
    const unmapped = [...once.values()].filter(({ id }) => !mapped.has(id.toLowerCase()));
    const unknown = await findUnknownReferences(scope, unmapped, references);
    const named = await byName(scope, unknown, file.nameOf, lookups);
    const lost = new Set(unknown.map(referenceKey));
    return (kind, id) => {
      const key = referenceKey({ kind, id });
      return mapped.get(id.toLowerCase()) ?? named.get(key) ?? (lost.has(key) ? null : id);
    };
  };
}

/** Records once each with their names, as files have them: ids mean nothing in another workspace. Null: it has none there. */
export async function nameReferences<R extends Named>(
  scope: Scope,
  references: readonly R[],
  lookups: ReferenceLookups,
): Promise<{ kind: ReferenceKind; id: string; name: string | null }[]> {
  const once = [...new Map(references.map((one) => [referenceKey(one), one])).values()];
  const names = new Map<ReferenceKind, Map<string, string>>();
  for (const [kind, of] of Map.groupBy(once, (one) => one.kind)) {
    const ids = of.map(({ id }) => id.toLowerCase());
    names.set(kind, (await lookups[kind]?.names(scope, ids)) ?? new Map());
  }
  return once.map(({ kind, id }) => ({ kind, id, name: names.get(kind)?.get(id.toLowerCase()) ?? null }));
}
