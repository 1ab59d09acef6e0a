import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { workspacePermissions } from '@atrium/contract/permissions.ts';
import type { Route } from '../../src/lib/route.ts';
import { plainSchema, referencesIn } from '../support/schema-samples.ts';
import { type Answer, type CallOptions, testApp } from '../support/test-app.ts';
import { checkAudit, checkNothingDone } from './check-audit.ts';
import {
  badCredentialsOf,
  makeKeyLacking,
  makePlace,
  makeTenant,
  type Place,
  scimTokenOf,
  tenantWide,
} from './walk-fixtures.ts';
import { checkDeclaration, paramsOf, requestTo, type Sent } from './walk-requests.ts';
import { watchChanges } from './watch-changes.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { app, call } = testing;
const lastChange = await watchChanges(testing);
const own = await makePlace(testing);
const neighbour = await makePlace(testing);
const stranger = await makePlace(testing, await makeTenant(testing));

const requestId = /^[\w.:-]{1,128}$/;

/** Every answer of the walk passes here, so that every one is looked at for its request id. */
async function send(route: Route, { url, body, headers = {} }: Sent, given: string | null, more: CallOptions = {}) {
  const { method } = methodAndPath(route);
  const key = isScim(route) && given === scimToken ? null : given;
  if (given === scimToken) headers = { ...headers, authorization: `Bearer ${scimToken}` };
  const answer = await call(method, url, body, { key, ...more, headers: { ...headers, ...more.headers } });
  assert.match(String(answer.headers['x-request-id']), requestId, `${route.route} answered without X-Request-Id`);
  return answer;
}

const badCredentials = await badCredentialsOf(testing, own);

/** A shared link or webhook address gives its holder access to one record. These routes ignore API keys. */
const isLink = (route: Route) => route.permission === 'link' || route.permission === 'open';
/** Sign-in takes secrets that an example can't have; sign-in.deep.test.ts tries these. */
const isSignIn = (route: Route) => route.tag === 'Sign-in' || route.permission === 'session';

/** A directory comes with a token of its own kind; API keys are refused there. */
const isScim = (route: Route) => route.permission === 'scim';
const scimToken = await scimTokenOf(own);

/** What an error says and its code, from the body that errors of this route have. */
function toldBy(route: Route, { json, headers }: Answer): unknown[] {
  if (isScim(route)) {
    assert.match(String(headers['content-type']), /^application\/scim\+json/);
    return [json.detail, json.status];
  }
  const { error, ...rest } = json;
  assert.deepEqual(Object.keys(rest), route.error_format ? [] : ['detail', 'code']);
  if (error) assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
  return route.error_format ? [error.message, error.code] : [json.detail, json.code];
}

const callers = (route: Route) =>
  isScim(route) ? [scimToken] : route.permission === 'org:admin' ? [own.system_key] : [own.system_key, own.key];

/** A run may go on after its request is answered, and would change what the next compares. One that waits for people does not. */
async function allQuiet(): Promise<void> {
  for (let look = 0; look < 6000; look++) {
    const [open] = await testing.query("select 1 from runs where status in ('queued', 'running') limit 1");
    if (!open) return;
    await sleep(10);
  }
}

/** Places whose record of a kind this caller must not see. */
function foreignPlaces(route: Route, kind: string, key: string): Place[] {
  const bound =
    key === own.key &&
    [route.permission].flat().some((one) => (workspacePermissions as readonly string[]).includes(one));
  return tenantWide.has(kind) && !bound ? [stranger] : [neighbour, stranger];
}

const isRefused = ({ status }: Answer) => status >= 400;

/** Asserts that the id of a foreign record and an unknown id get identical responses. */
async function sameAsNobodys(
  route: Route,
  make: (id: string) => Sent,
  kind: string,
  statuses: number[],
  where: string,
) {
  const tries: { key: string; theirs: string }[] = [];
  for (const key of callers(route))
    for (const place of foreignPlaces(route, kind, key)) tries.push({ key, theirs: await place.record(kind) });
  const told = `${route.route} with another's ${kind} in ${where}`;
  const before = await lastChange();
  for (const { key, theirs } of tries) {
    const nobodys = randomUUID();
    const [foreign, random] = [await send(route, make(theirs), key), await send(route, make(nobodys), key)];
    assert.ok(statuses.includes(foreign.status), `${told}: ${foreign.status} ${foreign.text}`);
    assert.equal(foreign.status, random.status, told);
    assert.equal(foreign.text.replaceAll(theirs, 'id'), random.text.replaceAll(nobodys, 'id'), told);
    if (isRefused(foreign)) await checkNothingDone(testing, route, [foreign, random]);
  }
  assert.equal(await lastChange(), before, `${told} changed something`);
}

/** The one share that also does what is done once. */
export function checkAllRoutes(): void {
  test('no two operations share a route or a summary', () => {
    for (const field of ['route', 'summary'] as const) {
      const seen = app.routes.map((route) => route[field]);
      assert.deepEqual(
        seen.filter((text, index) => seen.indexOf(text) !== index),
        [],
      );
    }
  });

  test('detects a request that changes a row, and none that only reads', async () => {
    const noticed = async (work: () => Promise<unknown>) => {
      const before = await lastChange();
      await work();
      return (await lastChange()) !== before;
    };
    const table = await own.record('table');
    assert.equal(await noticed(() => call('GET', `/v1/tables/${table}/rows`)), false);
    assert.equal(await noticed(() => testing.query('update api_keys set last_used_at = now()')), false);
    assert.equal(await noticed(() => own.make('POST', '/v1/agents', { name: 'noticed' })), true);
    const column = { name: 'noticed', type: 'text' };
    assert.equal(await noticed(() => own.make('POST', `/v1/tables/${table}/columns`, column)), true);
    const row = { noticed: 'yes' };
    assert.equal(await noticed(() => own.make('POST', `/v1/tables/${table}/rows`, row)), true);
  });

  test('a harmless request id is given back, any other is replaced', async () => {
    const echo = async (id: string) =>
      (await call('GET', '/v1/admin/me', undefined, { headers: { 'x-request-id': id } })).headers['x-request-id'];
    for (const id of ['abc-123_4.5:6', 'x', 'y'.repeat(128)]) assert.equal(await echo(id), id);
    for (const id of ['', '\u0000', 'a\u0000b', 'a\nb', 'a\r\nset-cookie: x=1', 'ü', '<b>', 'z'.repeat(500)]) {
      const given = String(await echo(id));
      assert.notEqual(given, id);
      assert.match(given, /^[0-9a-f-]{36}$/);
    }
  });

  for (const route of app.routes.filter((one) => isLink(one) && !isSignIn(one)))
    test(`${route.route} answers 404 when the link is wrong, with any key`, async () => {
      const { inPath } = await requestTo(route, own);
      const [{ name = '' } = {}] = paramsOf(route);
      for (const link of ['x', randomUUID(), own.key, `${await own.record(`path:${name}`)}x`])
        for (const key of [null, own.key, own.system_key])
          assert.equal((await send(route, inPath(name, link), key)).status, 404);
    });
}

/** Every route of a part, with no key, without its permission, with others' ids, and as it is meant. */
export function walkRoutes(isWalked: (index: number) => boolean): void {
  for (const route of app.routes.filter((_, index) => isWalked(index))) {
    const name = route.route;
    test(`${name} is declared in full`, () => checkDeclaration(route));

    test(`${name} answers 401 and changes nothing without exactly one valid key, before other errors`, async (t) => {
      if (isLink(route)) return t.skip('the link is the credential');
      const { good, bad } = await requestTo(route, own);
      const before = await lastChange();
      for (const [which, headers] of Object.entries(badCredentials))
        for (const request of [good, bad]) {
          const answer = await send(route, request, null, { headers });
          assert.equal(answer.status, 401, `${which}: ${answer.text}`);
          const told = isScim(route)
            ? ['A valid SCIM token is needed', '401']
            : ['A valid API key is needed, in the header X-API-Key or as Authorization: Bearer <key>', 'unauthorized'];
          assert.deepEqual(toldBy(route, answer), told, which);
        }
      assert.equal(await lastChange(), before);
    });

    test(`${name} answers 403 to a key with every permission but its own, before it looks at the request`, async (t) => {
      if (isLink(route) || route.permission === 'any') return t.skip('any key may');
      if (isScim(route)) {
        for (const key of [own.key, own.system_key])
          for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
            assert.equal((await send(route, (await requestTo(route, own)).good, null, { headers })).status, 401);
        return;
      }
      const { good, bad } = await requestTo(route, own);
      const key = route.permission === 'session' ? own.key : await makeKeyLacking(own, route.permission);
      const before = await lastChange();
      for (const request of [good, bad]) {
        const answer = await send(route, request, key);
        assert.deepEqual([answer.status, toldBy(route, answer)[1]], [403, 'forbidden']);
      }
      assert.equal(await lastChange(), before);
    });

    test(`${name} answers about ids of foreign records as about unknown ids`, async (t) => {
      if (isSignIn(route)) return t.skip('a person asks about themselves');
      const request = await requestTo(route, own);
      for (const { name: param, kind } of paramsOf(route))
        if (kind) await sameAsNobodys(route, (id) => request.inPath(param, id), kind, [404], `path ${param}`);
      // A list that filters by an unknown id may be empty.
      const filtered = name.startsWith('GET ') ? [200, 404, 422] : [404, 422];
      for (const reference of referencesIn(plainSchema(route.query)))
        await sameAsNobodys(route, (id) => request.inQuery(reference, id), reference.kind, filtered, 'the query');
      for (const reference of referencesIn(plainSchema(route.body))) {
        const where = `body ${reference.path.map(({ at }) => at).join('.')}`;
        const { body } = request.inBody(reference, randomUUID());
        const parsed = route.body?.safeParse(body);
        assert.ok(parsed?.success, `${name}: the example should show ${where}, so that it can be tried`);
        await sameAsNobodys(
          route,
          (id) => request.inBody(reference, id),
          reference.kind,
          isScim(route) ? [400] : [404, 422],
          where,
        );
      }
      const inHeader = (id: string) => ({
        ...request.good,
        headers: { ...request.good.headers, 'x-workspace-id': id },
      });
      if (!isLink(route) && !isScim(route)) await sameAsNobodys(route, inHeader, 'workspace', [404], 'X-Workspace-Id');
    });

    test(`${name} works with a bearer key, own ids and its example`, async (t) => {
      if (isSignIn(route)) return t.skip('no key is taken');
      const place = await makePlace(testing);
      const { good } = await requestTo(route, place);
      const bearer = isScim(route) ? await scimTokenOf(place) : place.system_key;
      const headers = isLink(route) ? {} : { authorization: `Bearer ${bearer}` };
      const before = await lastChange();
      const answer = await send(route, good, null, { headers });
      // A conflict shows that the request reached the record; any other error shows that it did not.
      // Channels sign their requests, and an example has no valid signature.
      const expected = route.tag === 'Channels' ? [401] : [route.status ?? 200, 409, 423];
      assert.ok(expected.includes(answer.status), `${answer.status} ${answer.text}`);
      await checkAudit(testing, route, answer, before);
      await allQuiet();
    });
  }
}
