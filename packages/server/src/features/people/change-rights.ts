import type { Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { deleteInvitationsOfPeople } from './link-store.ts';
import { listRightsOfPeople, type Rights } from './rights-store.ts';
import { deleteSessionsOf } from './sessions/store.ts';

/** More notes than this would cost more than to look at everything again. */
const mostNotes = 50;

const nameOf = ({ person_id, workspace_id }: Rights) => `${person_id} ${workspace_id}`;
const textOf = ({ permissions }: Rights) => permissions.toSorted().join();

/** The pairs of person and workspace whose permissions differ. */
function differences(before: readonly Rights[], after: readonly Rights[]): Rights[] {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [nameOf(row), textOf(row)])));
  return [
    ...before.filter((row) => now?.get(nameOf(row)) !== textOf(row)),
    ...after.filter((row) => old?.get(nameOf(row)) === undefined),
  ];
}

/**
 * Runs a change of what people may hold by their user groups. Sessions of those whose permissions differ afterwards end, and their
 * open invitations to these workspaces, which could bring back what was taken. Every node looks again at all of these people.
 */
export async function changeRightsOf<T>(
  { tx, notifier }: { tx: Db; notifier: Notifier },
  people: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const before = await listRightsOfPeople(tx, people);
  const result = await work();
  const changed = differences(before, await listRightsOfPeople(tx, people));
  if (changed.length) {
    await deleteSessionsOf(tx, [...new Set(changed.map(({ person_id }) => person_id))]);
    await deleteInvitationsOfPeople(tx, changed);
  }
  if (people.length) await notifier.notify(tx, 'keys', ...(people.length > mostNotes ? [''] : people));
  return result;
}
