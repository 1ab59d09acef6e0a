import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestApp } from '../../../test/support/test-app.ts';

export const password = 'a long password';
export const anAddress = () => `${randomUUID()}@example.com`;
/** The address of the test server as browsers name it. */
export const origin = 'http://127.0.0.1:8080';

export const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] as string;

/** A request as a browser with this session cookie sends it. */
export const as = (cookie: string, headers: Record<string, string> = {}) => ({
  key: null,
  headers: { cookie, origin, ...headers },
});

/** Makes people in a test server. */
export async function makePeopleIn({ call }: Pick<TestApp, 'call'>) {
  const home = (await call('GET', '/v1/admin/me')).json.group_id as string;
  const roles = (await call('GET', '/v1/admin/roles')).json as { id: string; name: string }[];
  const roleNamed = (name: string) => roles.find((role) => role.name === name)?.id as string;

  const invite = async (role_id: string, { email = anAddress(), group_id = home } = {}) => {
    const made = await call('POST', `/v1/admin/groups/${group_id}/invitations`, { email, role_id });
    assert.equal(made.status, 200, made.text);
    return made.json as { id: string; token: string; email: string };
  };
  const accept = (token: string, headers: Record<string, string> = {}) =>
    call('POST', '/v1/auth/invitations/accept', { token, name: 'Bo', password }, { key: null, headers });
  const signIn = (email: string, word = password, headers: Record<string, string> = {}) =>
    call('POST', '/v1/auth/sign-in', { email, password: word }, { key: null, headers });

  /** A person with a role in a workspace, signed in. */
  async function aMember(role: string, group_id = home) {
    const { token, email } = await invite(roleNamed(role), { group_id });
    const made = await accept(token);
    assert.equal(made.status, 200, made.text);
    return { email, cookie: cookieOf(made), id: made.json.person.id as string, session_id: made.json.id as string };
  }

  return { home, roleNamed, invite, accept, signIn, aMember };
}
