import type { ActorName } from '@atrium/contract/actor.ts';
import type { Db } from '../../db/database.ts';
import { isOutsider, personBehind, type Scope } from '../../lib/scope.ts';
import { findActors } from './store.ts';

type Caller = Pick<Scope, 'tenant_id' | 'actor' | 'person_id'>;
type ActorsBeside<K extends string> = { [F in `${K}_actor`]: ActorName | null };

const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

const callerAsActor = ({ actor: { id, name, kind }, person_id }: Caller): ActorName => ({
  ...{ id, name },
  kind: kind === 'api_key' && person_id === undefined ? 'service_account_key' : kind,
});

/** Reads the actors behind many ids with one statement, or none where all are the caller's own. Guests read no names. */
export async function readActors(
  on: Db,
  scope: Caller,
  ids: Iterable<string | null | undefined>,
): Promise<(id: string) => ActorName> {
  const named = new Set([...ids].filter((id): id is string => id != null && isId(id)));
  const isCaller = named.delete(scope.actor.id);
  const rows = named.size && !isOutsider(scope) ? await findActors(on, scope.tenant_id, [...named]) : [];
  const known = new Map(rows.map((row) => [row.id, row]));
  if (isCaller && !isOutsider(scope)) known.set(scope.actor.id, callerAsActor(scope));
  return (id) => known.get(id) ?? { id, name: null, kind: null };
}

/** The name of the person who acts, on one line; null for programs and for people outside. */
export async function nameOfPerson(on: Db, scope: Scope): Promise<string | null> {
  const id = personBehind(scope);
  if (id === null) return null;
  const name = scope.actor.id === id ? scope.actor.name : (await readActors(on, scope, [id]))(id).name;
  return name?.replace(/\s+/g, ' ').trim() ?? null;
}

/** The rows with `<field>_actor` beside each of the named fields. */
export async function withActors<K extends string, T extends { [F in K]: string | null }>(
  on: Db,
  scope: Caller,
  rows: readonly T[],
  ...fields: K[]
): Promise<(T & ActorsBeside<K>)[]> {
  const actorOf = await readActors(
    on,
    scope,
    rows.flatMap((row) => fields.map((field) => row[field])),
  );
  return rows.map((row) => {
    const beside = fields.map((field) => {
      const id: string | null = row[field];
      return [`${field}_actor`, id === null ? null : actorOf(id)];
    });
    return { ...row, ...Object.fromEntries(beside) };
  });
}

/** The same for one row. */
export async function withActor<K extends string, T extends { [F in K]: string | null }>(
  on: Db,
  scope: Caller,
  row: T,
  ...fields: K[]
): Promise<T & ActorsBeside<K>> {
  const [filled] = await withActors<K, T>(on, scope, [row], ...fields);
  return filled as T & ActorsBeside<K>;
}

/** Stored references `{kind, id}` with the current name; the stored kind stays. */
export async function withNames<T extends { kind: string; id: string }>(
  on: Db,
  scope: Caller,
  references: readonly T[],
): Promise<(T & { name: string | null })[]> {
  const actorOf = await readActors(
    on,
    scope,
    references.map(({ id }) => id),
  );
  return references.map((reference) => ({ ...reference, name: actorOf(reference.id).name }));
}
