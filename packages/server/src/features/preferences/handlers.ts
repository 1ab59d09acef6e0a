import { getPreferences, setPreferences } from '@atrium/contract/preferences/operations.ts';
import type { Database } from '../../db/database.ts';
import { handle, type Route } from '../../lib/route.ts';
import { readPreferences, writePreferences } from './service.ts';

export const preferenceRoutes = ({ db }: { db: Database }): Route[] => [
  handle(getPreferences, ({ actor }) => readPreferences(db, actor.id)),
  handle(setPreferences, (scope, { body }) =>
    db.transaction(scope, (tx) => writePreferences(tx, scope.actor.id, body)),
  ),
];
