import assert from 'node:assert/strict';
import type { TestApp } from './test-app.ts';

/**
 * A key of a service account of its own: keys that the admin key makes for itself all belong to the organization. It sees the
 * records of the whole workspace, as keys from before records had owners do, unless `reach` says otherwise.
 */
export async function makeAccountKey(
  { call }: Pick<TestApp, 'call'>,
  group_id: string,
  permissions: readonly string[],
  name = 'test',
  reach: 'own' | 'workspace' = 'workspace',
): Promise<{ id: string; value: string; owner: { id: string } }> {
  const account = await call('POST', `/v1/admin/groups/${group_id}/service-accounts`, { name, permissions });
  assert.equal(account.status, 200, account.text);
  const body = { name, permissions, service_account_id: account.json.id, reach };
  const made = await call('POST', `/v1/admin/groups/${group_id}/api-keys`, body);
  assert.equal(made.status, 200, made.text);
  return made.json;
}
