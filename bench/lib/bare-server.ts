import { workspacePermissions } from '@atrium/contract/permissions.ts';
import Fastify from 'fastify';
import { openDatabase } from '../../packages/server/src/db/database.ts';
import type { Connection } from '../../packages/server/src/db/embedded/connection.ts';
import { newId } from '../../packages/server/src/lib/ids.ts';
import { makeLog } from '../../packages/server/src/lib/log.ts';

/*
 * The baseline for our server: plain Fastify with the same pool, SQL and response bytes, without authentication and
 * validation.
 */

interface Setup {
  connection: Connection;
  max: number;
  tenant_id: string;
  workspace_id: string;
}

const { connection, max, tenant_id, workspace_id } = JSON.parse(process.env.BARE_SETUP ?? '') as Setup;
const { pool } = openDatabase({ connection, max, log: makeLog('warn') });

const insertRole = {
  name: 'insert',
  text: `
    insert into roles (tenant_id, id, workspace_id, name, description, scope, permissions, is_default)
    values ($1, $2, $3, $4, $5, $6,
            $7, $8)
    returning id, name, description, scope, workspace_id as group_id, permissions, is_default, created_at, updated_at`,
};

const listKeys = {
  name: 'list',
  text: `select id, workspace_id as group_id, name, tenant_admin, permissions, hint as value,
  expires_at, last_used_at, created_at from api_keys where workspace_id = $1 order by id`,
};

interface Body {
  name: string;
  description?: string;
  permissions: Record<string, boolean>;
}

const app = Fastify();

app.post('/roles', async (request) => {
  const { name, description = '', permissions } = request.body as Body;
  const held = workspacePermissions.filter((permission) => permissions[permission]);
  const values = [tenant_id, newId(), null, name, description, 'workspace', held, false];
  const { permissions: of, ...row } = (await pool.query({ ...insertRole, values })).rows[0];
  return { ...row, permissions: Object.fromEntries(workspacePermissions.map((name) => [name, of.includes(name)])) };
});

app.get('/keys', async () => (await pool.query({ ...listKeys, values: [workspace_id] })).rows);

process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
