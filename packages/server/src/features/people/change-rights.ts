import type { Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { deleteInvitationsOfPeople } from './link-store.ts';
import { listRightsOfPeople, type Rights } from './rights-store.ts';
import { deleteSessionsOf } from './sessions/store.ts';

/** More notes than this would cost more than to look at everything again. */
const mostNotes = 50;

const nameOf = ({ person_id, workspace_id }: Rights) => `${person_id} ${workspace_id}`;
const textOf = ({ permissions }: Rights) => permissions.toSorted().join();

/** The pairs of person and workspace whose permissions differ: those that were there before, and new ones. */
function differences(before: readonly Rights[], after: readonly Rights[]): { changed: Rights[]; added: Rights[] } {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [nameOf(row), textOf(row)])));
  return {
    changed: before.filter((row) => now?.get(nameOf(row)) !== textOf(row)),
    added: after.filter((row) => old?.get(nameOf(row)) === undefined),
  };
}

/**
 * Runs a change of what people may hold by their user groups. Sessions of those whose permissions in a workspace differ afterwards
 * end; a workspace more ends nothing. Their open invitations to these workspaces go, which could bring back what was taken. Every
 * node looks again at all of these people.
 */
export async function changeRightsOf<T>(
  { tx, notifier }: { tx: Db; notifier: Notifier },
  people: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const before = await listRightsOfPeople(tx, people);
  const result = await work();
  const { changed, added } = differences(before, await listRightsOfPeople(tx, people));
  if (changed.length)
    await deleteSessionsOf(tx, [...new Set(changed.map(({ person_id }) => person_id))], 'rights_changed');
  if (changed.length + added.length) await deleteInvitationsOfPeople(tx, [...changed, ...added]);
  if (people.length) await notifier.notify(tx, 'keys', ...(people.length > mostNotes ? [''] : people));
  return result;
}
