import type { WaitingFor } from '@atrium/contract/approvals/deciders.ts';
import { forbidden } from '@atrium/contract/errors.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { isOutsider, namesOf, personBehind, type Scope } from '../../lib/scope.ts';
import { type DecidersRow, findDeciders } from './decider-store.ts';

/** The most people that an answer names. */
const mostNamed = 20;

/** Whether the caller is one of those who are named, or stands in for them. Without names every permitted caller is. */
const isDecider = (scope: Scope, { is_named, includes, stands_in }: DecidersRow): boolean =>
  !is_named || (stands_in ? allows(scope.permissions, 'workspace_admin') : includes);

const read = (db: Db, scope: Scope, ids: readonly string[], most: number) =>
  findDeciders(db, scope.workspace_id, ids, { person_id: personBehind(scope), names: namesOf(scope.actor) }, most);

export const notTheAsker = () => forbidden('Only the caller who asked can take this request back', 'not_the_asker');

/** What an answer says of a request that waits. */
export interface Standing {
  waiting_for: WaitingFor | null;
  may_decide: boolean;
}

const presentDeciders = ({ people, more, groups, is_named, stands_in }: DecidersRow): WaitingFor => ({
  ...{ people, more, groups, named: is_named, administrators: stands_in },
});

/** Of a request that is over, or that has no deciders of its own. */
export const notWaiting: Standing = { waiting_for: null, may_decide: false };

/** For each of these requests who may decide, and whether the caller may. `needs`: the permissions that deciding takes. */
export async function readStandings(
  db: Db,
  scope: Scope,
  requests: readonly { id: string; needs: readonly Permission[] }[],
): Promise<(id: string) => Standing> {
  if (requests.length === 0 || isOutsider(scope)) return () => notWaiting;
  const rows = await read(
    db,
    scope,
    requests.map(({ id }) => id),
    mostNamed,
  );
  const needs = new Map(requests.map((request) => [request.id, request.needs]));
  const standings = new Map(
    rows.map((row): [string, Standing] => {
      const isPermitted = needs.get(row.request_id)?.every((one) => allows(scope.permissions, one)) ?? false;
      // A person reads some conversations that they may not write in; programs act in all that they see.
      const reaches = row.is_named || row.includes || personBehind(scope) === null || scope.wide_reach === true;
      const may_decide = isPermitted && reaches && !row.is_behind && isDecider(scope, row);
      return [row.request_id, { waiting_for: presentDeciders(row), may_decide }];
    }),
  );
  return (id) => standings.get(id) ?? notWaiting;
}

/** Refuses a caller that is behind the call of a request with four_eyes, or that is not one of those who are named. */
export async function requireDecider(db: Db, scope: Scope, id: string, behind: string): Promise<void> {
  const [row] = await read(db, scope, [id], 1);
  if (!row) return;
  if (row.is_behind) throw forbidden(behind, 'four_eyes');
  if (isDecider(scope, row)) return;
  throw forbidden(
    row.stands_in
      ? 'Nobody who is named for this approval is active, so an administrator of the workspace has to decide'
      : 'Other people are named to decide about this approval: waiting_for lists them',
    'not_an_approver',
  );
}
