import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { ReferenceChecker, ReferenceLookup } from '../settings/ports.ts';
import { platformTablesOf } from './platform-tables.ts';
import { findTablesByName, tablesById } from './store.ts';

/** How settings refer to tables. */
export function makeTableReferences({ db }: { db: Database }): { exists: ReferenceChecker; lookup: ReferenceLookup } {
  return {
    /** A caller can grant an agent only permissions it holds itself. */
    async exists(scope, ids, writes) {
      const may = allows(scope.permissions, writes ? 'tables_edit' : 'tables_read');
      const own = may ? await tablesById(db, scope.workspace_id, ids) : [];
      const platform =
        may && !writes && allows(scope.permissions, 'conversations_read') ? platformTablesOf(scope.workspace_id) : [];
      return new Set([...own, ...platform].map(({ id }) => id));
    },
    lookup: {
      names: async (scope, ids) =>
        new Map((await tablesById(db, scope.workspace_id, ids)).map(({ id, name }) => [id, name])),
      byName: (scope, names) => findTablesByName(db, scope.workspace_id, names),
    },
  };
}
