import assert from 'node:assert/strict';
import {
  allPermissions,
  organizationPermissions,
  type Permission,
  workspacePermissions,
} from '@atrium/contract/permissions.ts';
import { as, makePeopleIn } from '../../src/features/people/testing.ts';
import type { TestApp } from '../../test/support/test-app.ts';

/** A caller of the walk, with what it holds: permissions, and relations to person A's records. */
export interface Caller {
  name: string;
  headers: Readonly<Record<string, string>>;
  holds: ReadonlySet<string>;
  /** The token of a visitor's own link. */
  token?: string;
  /** Holds so little that only operations with its permissions are worth a request. */
  isNarrow?: boolean;
}

/** The permissions that open what belongs to other people. */
const reading: readonly Permission[] = ['conversations_read', 'conversations_edit', 'runs_read_all', 'files_read_all'];
const ordinary = workspacePermissions.filter((name) => !reading.includes(name) && name !== 'workspace_admin');

/** All that a set of permissions allows. */
const allowed = (held: readonly string[]): ReadonlySet<string> =>
  new Set([
    ...['everyone', 'member', ...held],
    ...(held.includes('workspace_admin') ? workspacePermissions : []),
    ...(held.includes('org:admin') ? allPermissions : []),
  ]);

interface Combination {
  name: string;
  permissions: readonly Permission[];
}
const alone = (permission: Permission): Combination => ({ name: permission, permissions: [permission] });
/** One permission each, all ordinary ones, and these with one more that reads what is others'. */
const combinations: readonly Combination[] = [
  ...workspacePermissions.map(alone),
  { name: 'ordinary permissions', permissions: ordinary },
  ...reading.map((name) => ({ name: `ordinary permissions + ${name}`, permissions: [...ordinary, name] })),
];
const ofOrganization = organizationPermissions.filter((name) => name !== 'org:admin').map(alone);

interface Related {
  owner: { cookie: string };
  sharee: { cookie: string };
}

/** The callers of the walk, from those who may do least to those who may do most. */
export async function makeCallers(app: TestApp, { owner, sharee }: Related): Promise<Caller[]> {
  const people = await makePeopleIn(app);
  const good = async (method: string, path: string, body?: object) => {
    const answer = await app.call(method, path, body);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.json;
  };
  const person = (name: string, cookie: string, held: readonly string[]): Caller => ({
    ...{ name, headers: as(cookie).headers, holds: allowed(held) },
  });
  const heldBy = async (role: string) => {
    const { permissions } = await good('GET', `/v1/admin/roles/${people.roleNamed(role)}`);
    return Object.keys(permissions).filter((name) => permissions[name]);
  };

  async function withRole({ name, permissions }: Combination): Promise<Caller> {
    const granted = Object.fromEntries(permissions.map((permission) => [permission, true]));
    const fields = { name: `role ${name}`, scope: 'workspace', group_id: people.home, permissions: granted };
    const { id } = await good('POST', '/v1/admin/roles', fields);
    const { headers } = await people.accept((await people.invite(id)).token);
    const cookie = String(headers['set-cookie']).split(';')[0] as string;
    return { ...person(`a role with ${name}`, cookie, permissions), isNarrow: true };
  }
  /** A key of a service account of its own. */
  async function withKey({ name, permissions }: Combination): Promise<Caller> {
    const at = `/v1/admin/groups/${people.home}`;
    const body = { name: `key ${name}`, permissions };
    const { id: service_account_id } = await good('POST', `${at}/service-accounts`, body);
    const { value } = await good('POST', `${at}/api-keys`, { ...body, service_account_id });
    const headers = { 'x-api-key': value };
    return { name: `a key with ${name}`, headers, holds: allowed(permissions), isNarrow: true };
  }

  const callers = [
    ...(await makeStrangers(app)),
    person('a sharee', sharee.cookie, ['sharee', ...(await heldBy('Reader'))]),
  ];
  for (const combination of combinations) callers.push(await withRole(combination));
  for (const combination of [...combinations, ...ofOrganization]) callers.push(await withKey(combination));
  for (const role of ['Reader', 'Editor'])
    callers.push(person(`a person with the role ${role}`, (await people.aMember(role)).cookie, await heldBy(role)));
  const { value: scim } = await good('POST', '/v1/admin/scim-tokens', { name: 'directory' });
  const directory = { name: 'a directory', headers: { authorization: `Bearer ${scim}` } };
  callers.push({ ...directory, holds: new Set(['everyone', 'scim']) });
  callers.push(person('person A', owner.cookie, ['owner', ...(await heldBy('Editor'))]));
  callers.push({ name: 'the administrator', headers: { 'x-api-key': app.admin }, holds: allowed(['org:admin']) });
  const power = ({ holds }: Caller) =>
    ['conversations_edit', 'owner', 'workspace_admin', 'org:admin'].findLastIndex((name) => holds.has(name));
  return callers.sort((a, b) => power(a) - power(b));
}

/** A visitor of a shared link of another conversation, and an administrator of another workspace. */
async function makeStrangers(app: TestApp): Promise<Caller[]> {
  const people = await makePeopleIn(app);
  const holds = new Set(['everyone']);
  const shared = await app.call('POST', '/v1/conversations', { name: 'shared with visitors' });
  const link = await app.call('POST', `/v1/conversations/${shared.json.id}/share`);
  const { json: elsewhere } = await app.call('POST', '/v1/admin/groups', { name: 'elsewhere' });
  const { cookie } = await people.aMember('Admin', elsewhere.id);
  const name = 'an administrator of another workspace';
  return [
    { name: 'a visitor', headers: {}, holds, token: link.json.public_access_token },
    { name, headers: as(cookie).headers, holds },
    { name: `${name} who names this one`, headers: as(cookie, { 'x-workspace-id': people.home }).headers, holds },
  ];
}
