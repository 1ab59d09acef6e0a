import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { readActors } from '../../features/actors/service.ts';
import { findReaders } from '../../features/conversations/service.ts';
import { eventRoutes } from '../../features/events/handlers.ts';
import { eventJobs } from '../../features/events/jobs.ts';
import { makeLiveEvents } from '../../features/events/service.ts';
import type { Visibility } from '../../features/knowledge-bases/rights/visible.ts';
import type { Log } from '../../lib/log.ts';

/** Composes the live events of workspaces. */
export function composeEvents(deps: {
  db: Database;
  notifier: Notifier;
  log: Log;
  visibility: Pick<Visibility, 'rightsOf' | 'forLists'>;
}) {
  const { db, visibility } = deps;
  const events = makeLiveEvents({
    ...deps,
    rights: {
      rightsOf: visibility.rightsOf,
      visible: (scope) => visibility.forLists(scope),
      readersOf: (workspace_id, ids) => findReaders(db, workspace_id, ids),
    },
    nameActors: (scope, ids) => readActors(db, scope, ids),
  });
  return { routes: eventRoutes(events), jobs: eventJobs(db), close: events.close };
}
