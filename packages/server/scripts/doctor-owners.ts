import type { Check } from './doctor-database.ts';
import { hasColumn } from './has-column.ts';

/** Records from before they had owners whose owner could not be found: only administrators and keys from before see them. */
export const recordsWithoutOwner: Check = async (client) => {
  if (!(await hasColumn(client, 'files', 'shared_with'))) return [];
  const { rows } = await client.query<{ kind: string; count: number }>(
    `select 'conversations' as kind, count(*)::int as count from conversations
       where owner_id is null and deployment_id is null and delivery_id is null
     union all select 'workflow runs', count(*)::int from workflow_runs
       where owner_id is null and conversation_id is null and trigger_id is null
     union all select 'files', count(*)::int from files f
       where owner_id is null and run_id is null and shared_with = '{}' and not exists (
         select from file_conversations l where l.workspace_id = f.workspace_id and l.file_id = f.id)`,
  );
  const unknown = rows.filter(({ count }) => count > 0);
  if (unknown.length === 0) return ['every conversation, run and file has an owner'];
  const counts = unknown.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  return [`records without a known owner, which only workspace administrators see: ${counts}`];
};

/** Keys from before records had owners see those of the whole workspace until they are narrowed. */
export const keysWithWideReach: Check = async (client) => {
  if (!(await hasColumn(client, 'api_keys', 'reach'))) return [];
  const { rows } = await client.query<{ workspace: string; workspace_id: string; names: string[] }>(
    `select w.name as workspace, w.id as workspace_id, array_agg(k.name order by k.name) as names
     from api_keys k join workspaces w on w.id = k.workspace_id
     where k.reach = 'workspace' and not k.permissions && '{workspace_admin,org:admin}'
       and (k.expires_at is null or k.expires_at > now()) group by 1, 2 order by 1, 2`,
  );
  if (rows.length === 0) return ['no key sees more than its own records and what its permissions open'];
  return [
    'keys that see the records of everybody (PATCH …/api-keys/{id} with {"reach": "own"} limits one):',
    ...rows.map(({ workspace, workspace_id, names }) => `  ${workspace} (${workspace_id}): ${names.join(', ')}`),
  ];
};
