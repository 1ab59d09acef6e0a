import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import type { Route } from '../../../lib/route.ts';
import { as, makePeopleIn } from '../testing.ts';

const testing = await testApp();
const { app, call } = testing;
const people = await makePeopleIn(testing);

const send = (route: Route, cookie: string) => {
  const { method, path } = methodAndPath(route);
  return call(method, path.replaceAll(/\{\w+\}/g, randomUUID()), undefined, as(cookie));
};

for (const role of ['Reader', 'Editor'])
  test(`every operation refuses a session whose role lacks its permission, and one that has ended (${role})`, async () => {
    const { cookie } = await people.aMember(role);
    const { json: session } = await call('GET', '/v1/auth/session', undefined, as(cookie));
    const held = new Set<Permission>(session.workspaces[0].permissions);
    // Directories have tokens of their own kind.
    const free: unknown[] = ['any', 'link', 'open', 'session', 'scim'];
    const lacking = app.routes.filter(
      ({ permission }) =>
        !free.includes(permission) && ![permission].flat().some((one) => allows(held, one as Permission)),
    );
    assert.ok(lacking.length > 60, String(lacking.length));
    for (const route of lacking) {
      const { status, json } = await send(route, cookie);
      assert.equal(status, 403, route.route);
      assert.match(json.detail, /^You lack the permission /, route.route);
    }
    await call('POST', '/v1/auth/sign-out', undefined, as(cookie));
    for (const route of app.routes) {
      if (route.permission === 'link' || route.permission === 'open') continue;
      const { status, text } = await send(route, cookie);
      assert.equal(status, 401, `${route.route} with an ended session`);
      const told = route.permission === 'scim' ? /A valid SCIM token is needed/ : /The session is over or not valid/;
      assert.match(text, told, route.route);
    }
  });
