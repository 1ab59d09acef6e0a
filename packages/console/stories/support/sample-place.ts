import assert from 'node:assert/strict';
import { cookieOf } from '../../../server/src/features/people/testing.ts';
import type { consoleApp } from './console-app.ts';

type ConsoleApp = Awaited<ReturnType<typeof consoleApp>>;

/** An organization after some months: workspaces, people, a team, roles, keys, providers, budgets. */
export async function fillPlace({ call, people }: ConsoleApp) {
  const { home } = people;
  const make = async (path: string, body: object) => {
    const { status, json, text } = await call('POST', path, body);
    assert.equal(status, 200, `${path}: ${text}`);
    return json;
  };
  const sales = (await make('/v1/admin/groups', { name: 'Sales' })).id as string;
  const empty = (await make('/v1/admin/groups', { name: 'Empty' })).id as string;
  const boss = await people.aMember('Admin');
  for (const id of [sales, empty])
    await call('PUT', `/v1/admin/groups/${id}/members/${boss.id}`, { role_id: people.roleNamed('Admin') });
  await call('PATCH', `/v1/admin/users/${boss.id}`, { name: 'Mara Okafor', tenant_admin: true });
  const administrator = cookieOf(await people.signIn(boss.email));
  const editor = await people.aMember('Editor');
  await call('PATCH', `/v1/admin/users/${editor.id}`, { name: 'Ines Vidal' });
  const reader = await people.aMember('Reader');
  await call('PATCH', `/v1/admin/users/${reader.id}`, { name: 'Bartholomew Featherstonehaugh-Cholmondeley' });
  await people.invite(people.roleNamed('Editor'), { email: 'lee.of.the.northern.warehouse@northwind.example' });

  const team = await make('/v1/admin/user-groups', { name: 'Returns desk' });
  await call('PUT', `/v1/admin/user-groups/${team.id}/members/${editor.id}`, {});
  const analyst = await make('/v1/admin/roles', {
    ...{ name: 'Analyst', description: 'Reads figures and traces' },
    permissions: { insights_read: true, agents_run: true },
  });
  const keys = `/v1/admin/groups/${home}/api-keys`;
  await make(keys, { name: 'Ticket system', role_id: analyst.id });
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await make(keys, { name: 'Nightly export', permissions: ['tables_read'], expires_at: soon });
  await make('/v1/admin/providers', {
    ...{ provider: 'openai-compatible', name: 'office-gpu', base_urls: ['http://127.0.0.1:9/v1'] },
  });
  await make('/v1/admin/budgets', { name: 'Support, monthly', group_id: home, max_cost: 300, period: 'month' });
  const daily = await make('/v1/admin/budgets', { name: 'Everything, daily', max_tokens: 2_000_000, period: 'day' });
  return {
    ...{ administrator, reader: cookieOf(await people.signIn(reader.email)), empty },
    /** Makes a budget smaller than what was used: no model is called after it. */
    exhaustBudget: () => call('PATCH', `/v1/admin/budgets/${daily.id}`, { max_tokens: 100 }),
  };
}
