import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { as, cookieOf, makePeopleIn, password } from '../../src/features/people/testing.ts';
import type { Route } from '../../src/lib/route.ts';
import { testApp } from '../support/test-app.ts';
import { until } from '../support/two-nodes.ts';

// Every route, with sessions of people of every role, and with sessions that are over.

const testing = await testApp();
const { app, call, query } = testing;
const people = await makePeopleIn(testing);
const { json: none } = await call('POST', '/v1/admin/roles', { name: 'Nothing', permissions: {} });

/** A member of the first workspace with a session. */
async function aMember(role_id: string) {
  const made = await people.accept((await people.invite(role_id)).token);
  assert.equal(made.status, 200, made.text);
  return { cookie: cookieOf(made), id: made.json.person.id as string, session_id: made.json.id as string };
}

async function anOrganizationAdmin() {
  const { email, id } = await people.aMember('Reader');
  assert.equal((await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: true })).status, 200);
  return { cookie: cookieOf(await people.signIn(email, password)), id };
}

const members: Record<string, { cookie: string }> = {
  'an administrator of the organization': await anOrganizationAdmin(),
  'the role Admin': await aMember(people.roleNamed('Admin')),
  'the role Editor': await aMember(people.roleNamed('Editor')),
  'the role Reader': await aMember(people.roleNamed('Reader')),
  'a role without permissions': await aMember(none.id),
};

/** Sends a request whose ids belong to no record, so that permitted requests change nothing that the next ones need. */
const ask = (route: Route, cookie: string) => {
  const { method, path } = methodAndPath(route);
  return call(method, path.replaceAll(/\{\w+\}/g, randomUUID()), undefined, as(cookie));
};

/** These routes look at no session. */
const isOpen = ({ permission }: Route) => permission === 'link' || permission === 'open';
/** It would end the session that is tried. */
const isSignOut = ({ id }: Route) => id === 'sessions.signOut';

function mayCall({ permission }: Route, held: ReadonlySet<Permission>): boolean {
  if (permission === 'any' || permission === 'session') return true;
  return ([permission].flat() as Permission[]).some((one) => allows(held, one));
}

suite('every route with a session of', () => {
  for (const [who, { cookie }] of Object.entries(members))
    test(`${who} is refused exactly when the person lacks its permission`, async () => {
      const { json: session } = await call('GET', '/v1/auth/session', undefined, as(cookie));
      const held = new Set<Permission>(session.workspaces[0].permissions);
      if (session.person.tenant_admin) held.add('org:admin');
      const counts = { refused: 0, permitted: 0 };
      for (const route of app.routes.filter((one) => !isOpen(one) && !isSignOut(one))) {
        const { status, json, text } = await ask(route, cookie);
        const told = `${route.route} with ${who}: ${status} ${text}`;
        if (route.permission === 'scim') assert.equal(status, 401, told);
        else if (mayCall(route, held)) {
          assert.ok(status !== 401 && status < 500, told);
          // Operations for any caller may ask for more, by what the request names.
          assert.ok(status !== 403 || json.code !== 'forbidden' || route.permission === 'any', told);
          counts.permitted++;
        } else {
          assert.equal(status, 403, told);
          assert.match(json.detail ?? json.error?.message, /^You lack the permission /, told);
          counts.refused++;
        }
      }
      assert.ok(counts.permitted > 20, JSON.stringify(counts));
      const isAdministrator = held.has('org:admin');
      assert.equal(counts.refused > 30, !isAdministrator, JSON.stringify(counts));
      assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).status, 200, 'the session goes on');
    });
});

suite('every route answers 401 to a session that', () => {
  const isOver = (cookie: string) =>
    until('the session is over', async () => {
      await query('select pg_notify(\'atrium_bell\', \'["keys",""]\')');
      return (await call('GET', '/v1/auth/session', undefined, as(cookie))).status === 401;
    });
  const anAdmin = () => aMember(people.roleNamed('Admin'));
  const overs: Record<string, () => Promise<string>> = {
    'was signed out': async () => {
      const { cookie } = await anAdmin();
      assert.equal((await call('POST', '/v1/auth/sign-out', undefined, as(cookie))).status, 200);
      return cookie;
    },
    'ended with the deactivation of its person': async () => {
      const { cookie, id } = await anAdmin();
      assert.equal((await call('PATCH', `/v1/admin/users/${id}`, { active: false })).status, 200);
      return cookie;
    },
    'has expired': async () => {
      const { cookie, session_id } = await anAdmin();
      await query("update sessions set expires_at = now() - interval '1 s' where id = $1", [session_id]);
      await isOver(cookie);
      return cookie;
    },
    'was idle for too long': async () => {
      const { cookie, session_id } = await anAdmin();
      await query("update sessions set used_at = now() - interval '30 days' where id = $1", [session_id]);
      await isOver(cookie);
      return cookie;
    },
    'was never started': async () => `atrium_session=ats_${'x'.repeat(43)}`,
  };
  for (const [how, end] of Object.entries(overs))
    test(how, async () => {
      const cookie = await end();
      for (const route of app.routes.filter((one) => !isOpen(one))) {
        const { status, text } = await ask(route, cookie);
        const told = `${route.route}: ${status} ${text}`;
        assert.equal(status, 401, told);
        if (route.permission !== 'scim') assert.match(text, /The session is over or not valid; sign in again/, told);
      }
    });
});
