import { conflict } from '@atrium/contract/errors.ts';
import { workspacePermissions } from '@atrium/contract/permissions.ts';
import { z } from 'zod';
import { type Database, isDuplicate } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import { defineWorkspaceRecords } from '../personal-data/ports.ts';
import { insertRole, listRolesOfWorkspace } from './store.ts';

const roleRecord = z.object({
  id: z.guid(),
  name: z.string().min(1).max(100),
  description: z.string().max(2000),
  permissions: z.array(z.enum(workspacePermissions)),
});
type RoleRecord = z.output<typeof roleRecord>;

/** The roles that one workspace has alone. Nobody has them in the new one, which has no members. */
export const makeRoleRecords = ({ db }: { db: Database }) =>
  defineWorkspaceRecords<RoleRecord>({
    kind: 'roles',
    schema: roleRecord,
    async *list(workspace_id) {
      for (const { id, name, description, permissions } of await listRolesOfWorkspace(db, workspace_id))
        yield { id, name, description, permissions } as RoleRecord;
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'role', id }],
    refuse: async () => undefined,
    async restore({ scope, idOf }, records) {
      for (const { id, ...fields } of records)
        try {
          await insertRole(db, scope.tenant_id, {
            ...{ ...fields, id: required(idOf('role', id)), group_id: scope.workspace_id },
            ...{ scope: 'workspace', is_default: false },
          });
        } catch (error) {
          throw isDuplicate(error) ? conflict(`The archive has two roles named ${fields.name}`) : error;
        }
    },
  });
