import type { Planting } from './planting.ts';

/** Plants what is person A's alone, and what administrators keep about people. */
export async function plantPeople(planting: Planting): Promise<void> {
  const { ask, note, query, administer, workspace_id, person_id } = planting;
  const filter = { name: planting.word('person', 'saved filter'), page: 'conversations', query: {} };
  await ask('PUT', '/v1/me/preferences', { saved_filters: [filter] });
  const [{ id: session_id }] = await query('update sessions set user_agent = $2 where person_id = $1 returning id', [
    person_id,
    planting.word('person', 'browser of a session'),
  ]);
  note('session', session_id);
  note('person', person_id);
  note('workspace', workspace_id);
  await ask('PATCH', '/v1/auth/account', { name: planting.word('name of a person', 'name') });
  await query('update people set email = $2 where id = $1', [
    ...[person_id, `${planting.bare('mail address', 'address')}@example.com`],
  ]);

  const role = {
    name: planting.word('role', 'name'),
    description: planting.word('role', 'description'),
    group_id: workspace_id,
  };
  const role_id = note('role', (await administer('POST', '/v1/admin/roles', role)).id);
  const group = note(
    'user_group',
    (await administer('POST', '/v1/admin/user-groups', { name: planting.word('user group', 'name') })).id,
  );
  await administer('PUT', `/v1/admin/groups/${workspace_id}/member-groups/${group}`, { role_id });
  const invited = { email: `${planting.bare('invitation', 'address')}@example.com`, role_id };
  note('invitation', (await administer('POST', `/v1/admin/groups/${workspace_id}/invitations`, invited)).id, {
    workspace: workspace_id,
  });
  const account = { name: planting.word('service account', 'name'), permissions: ['agents_run'] };
  const accounts = `/v1/admin/groups/${workspace_id}/service-accounts`;
  note('service_account', (await administer('POST', accounts, account)).id, { workspace: workspace_id });
  const key = { name: planting.word('API key', 'name'), permissions: ['agents_run'] };
  note('api_key', (await administer('POST', `/v1/admin/groups/${workspace_id}/api-keys`, key)).id, {
    workspace: workspace_id,
  });
  const budget = {
    name: planting.word('budget', 'name'),
    group_id: workspace_id,
    max_tokens: 1_000_000_000,
    period: 'month',
  };
  note('budget', (await administer('POST', '/v1/admin/budgets', budget)).id);
  const provider = {
    provider: 'openai-compatible',
    name: planting.bare('model provider', 'name'),
    base_urls: [`http://127.0.0.1:9/${planting.bare('model provider', 'address')}`],
  };
  note(
    'provider',
    (
      await administer('POST', '/v1/admin/providers', {
        ...provider,
        api_key: planting.bare('secret', 'key of a provider'),
      })
    ).id,
  );
  const login = {
    name: planting.bare('identity provider', 'name'),
    issuer: `https://127.0.0.1:9/${planting.bare('identity provider', 'issuer')}`,
    client_id: 'walk',
  };
  note('identity_provider', (await administer('POST', '/v1/admin/identity-providers', login)).id);
  note(
    'scim_token',
    (await administer('POST', '/v1/admin/scim-tokens', { name: planting.word('SCIM token', 'name') })).id,
  );
  note('data_job', (await ask('POST', '/v1/auth/export', { password: 'a long password' })).id);
  for (const { id } of await query('select id from notifications where person_id = $1', [person_id]))
    note('notification', id);
}
