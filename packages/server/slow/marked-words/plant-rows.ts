import { randomUUID } from 'node:crypto';
import type { Planting } from './planting.ts';

/** Plants what only other programs, devices and crashes leave behind, as the server stores it. */
export async function plantRows(planting: Planting, kb_id: string) {
  const { ask, administer, note, query, workspace_id, person_id } = planting;
  const [{ tenant_id }] = await query('select tenant_id from workspaces where id = $1', [workspace_id]);
  const now = new Date().toISOString();
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row).join(', ');
    return query(`insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`, [
      JSON.stringify(row),
    ]);
  };

  // The answer to a request that may be repeated is stored.
  await ask('POST', '/v1/agents', { name: planting.word('agent', 'name') }, { 'idempotency-key': 'planted' });
  const prefix = `/${planting.bare('folder', 'path')}`;
  await ask('PUT', `/v1/knowledge-bases/${kb_id}/folder-rights`, {
    prefix,
    visible_to: [{ kind: 'person', id: person_id }],
  });
  await administer('PATCH', `/v1/admin/groups/${workspace_id}`, {
    ...{ name: planting.word('workspace', 'name'), description: planting.word('workspace', 'description') },
  });

  const [{ id: server_id }] = await query('select id from mcp_servers limit 1');
  const tool = { name: 'planted', description: planting.word('MCP server', 'tool'), inputSchema: { type: 'object' } };
  const definition = JSON.stringify(tool);
  await insert('mcp_tools', {
    workspace_id,
    server_id,
    name: 'planted',
    hash: 'x',
    definition,
    first_seen_at: now,
    changed_at: now,
  });
  const push = {
    id: randomUUID(),
    tenant_id,
    person_id,
    label: planting.word('person', 'device'),
    origin: 'x',
    sealed: 'x',
  };
  await insert('push_subscriptions', { ...push, endpoint_hash: '\\x00', created_at: now });
  note('push_subscription', push.id);
  const [{ id: provider_id }] = await query('select id from identity_providers limit 1');
  const email = `${planting.bare('person', 'address at an identity provider')}@example.com`;
  const identity = { id: randomUUID(), tenant_id, person_id, provider_id, issuer: 'x', subject: 'x', email };
  await insert('identities', { ...identity, created_account: false, created_at: now });
  note('identity', identity.id);
  const names = {
    user_name: planting.bare('SCIM user', 'name'),
    display_name: planting.word('SCIM user', 'display name'),
  };
  await insert('scim_users', { person_id, tenant_id, ...names, created_at: now, updated_at: now });
  note('scim_user', person_id);
  const [{ id: user_group_id }] = await query('select id from user_groups limit 1');
  const external_id = planting.bare('SCIM user', 'id of a group');
  await insert('scim_groups', { user_group_id, tenant_id, external_id, created_at: now, updated_at: now });
  note('scim_group', user_group_id);

  const [{ id: deployment_id }] = await query('select id from deployments limit 1');
  const [{ id: conversation_id }] = await query(
    'select id from conversations where person_id = $1 order by created_at limit 1',
    [person_id],
  );
  const thread = planting.bare('text of the server', 'thread of a channel');
  const inbox = {
    workspace_id,
    id: randomUUID(),
    deployment_id,
    event_id: 'x',
    thread,
    ref: {},
    status: 'done',
    attempts: 1,
  };
  await insert('channel_inbox', {
    ...inbox,
    payload: planting.word('text of the server', 'message from a channel'),
    created_at: now,
  });
  const outbox = {
    workspace_id,
    deployment_id,
    conversation_id,
    kind: 'notice',
    status: 'sent',
    sent_length: 0,
    attempts: 1,
    revision: 1,
  };
  await insert('channel_outbox', {
    ...outbox,
    said: planting.word('text of the server', 'message to a channel'),
    created_at: now,
    sent_files: 0,
  });
  await insert('channel_threads', { workspace_id, deployment_id, thread, conversation_id, ref: {} });
}
