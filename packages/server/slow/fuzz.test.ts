import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { methodAndPath } from '@atrium/contract/operation.ts';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import fc from 'fast-check';
import type { Route } from '../src/lib/route.ts';
import { plainSchema } from '../test/support/schema-samples.ts';
import { testApp } from '../test/support/test-app.ts';
import { makePlace, type Place, scimTokenOf } from '../test/walk/walk-fixtures.ts';
import { paramsOf } from '../test/walk/walk-requests.ts';
import { hostileHeaders, hostileSegments, type Payload, payloads, valuesOf } from './fuzz-requests.ts';

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 12);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 30));
/** How many requests have one seed, and are tried however slow the machine is. */
const inOneRound = 200;

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { app, call } = testing;
let place: Place;
const bystander = await makePlace(testing);
const kept = await bystander.record('role');

interface Request {
  route: Route;
  /** `own` stands for an id of the place at hand, made anew now and then as requests delete things. */
  segments: string[];
  query: [string, string][];
  headers: Record<string, string>;
  payload: Payload;
}

const ids = [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

function requestsTo(route: Route): fc.Arbitrary<Request> {
  const properties = (plainSchema(route.query)['properties'] ?? {}) as Record<string, JsonSchema>;
  const names = Object.keys(properties);
  const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const values = fc.oneof(...Object.values(properties).map((of) => valuesOf(of, ids).map(asText)), fc.constant('x'));
  const name = fc.constantFrom(...names, '__proto__', 'constructor', 'page', 'a[b]', '');
  return fc.record<Request>({
    route: fc.constant(route),
    segments: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant('own') },
        { weight: 1, arbitrary: fc.constantFrom(...ids) },
        hostileSegments,
      ),
      { minLength: 4, maxLength: 4 },
    ),
    query: fc.oneof(fc.constant<[string, string][]>([]), fc.array(fc.tuple(name, values), { maxLength: 4 })),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      hostileHeaders as fc.Arbitrary<Record<string, string>>,
    ),
    payload: payloads(route.body && plainSchema(route.body), ids),
  });
}

/** Records are made before anything is deleted: a version can't be made once its agent is gone. */
async function freshPlace(): Promise<Place> {
  const made = await makePlace(testing);
  for (const { maker } of app.routes.flatMap(paramsOf)) if (maker) await made.record(maker);
  return made;
}

async function pathOf({ route, segments, query }: Request): Promise<string> {
  let path = methodAndPath(route).path;
  for (const [index, { name, maker }] of paramsOf(route).entries()) {
    const segment = segments[index % segments.length] as string;
    path = path.replace(`{${name}}`, segment === 'own' && maker ? await place.record(maker) : segment);
  }
  // A lone surrogate has no place in an address; everything else is sent as it is.
  const search = query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return search.length ? `${path}?${search.join('&').slice(0, 8000)}` : path;
}

function checkValidationErrors(detail: unknown): void {
  assert.ok(Array.isArray(detail) && detail.length > 0);
  for (const validationError of detail) {
    assert.deepEqual(Object.keys(validationError).sort(), ['ctx', 'input', 'loc', 'msg', 'type']);
    assert.ok(validationError.loc.every((part: unknown) => typeof part === 'string'));
    assert.ok(['body', 'query', 'path', 'header'].includes(validationError.loc[0]), validationError.loc[0]);
    assert.ok(
      typeof validationError.msg === 'string' &&
        validationError.msg &&
        typeof validationError.type === 'string' &&
        validationError.type,
    );
    assert.ok(
      typeof validationError.ctx === 'object' && validationError.ctx !== null && !Array.isArray(validationError.ctx),
    );
  }
}

const statuses = new Map<number, number>();
let scimToken = '';

const startsTurns: ReadonlySet<string> = new Set(['messages.edit', 'messages.regenerate']);

async function tryOut(request: Request): Promise<void> {
  const { route, payload, headers } = request;
  const { bytes, type, chunked } = payload;
  const isScim = route.error_format === 'scim';
  const path = await pathOf(request);
  // This stream has no end unless it is asked for one; the last of two parameters counts.
  const url = route.id === 'events.follow' ? `${path}${path.includes('?') ? '&' : '?'}seconds=0` : path;
  const response = await app.server.inject({
    method: methodAndPath(route).method,
    url,
    headers: {
      ...(isScim ? { authorization: `Bearer ${scimToken}` } : { 'x-api-key': place.system_key }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(bytes !== undefined && { payload: (chunked ? Readable.from([bytes]) : bytes) as string }),
  });
  const { statusCode: status, payload: text } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const told = `${status} ${text.slice(0, 500)}\n${testing.logged.filter((line) => line.includes('"error"')).at(-1) ?? ''}`;
  // A request may create an unreachable provider. Guardrails that use it block the message, its embeddings fail, and nobody can
  // sign in there.
  const isPage = status >= 400 && route.error_page === true && text.startsWith('<!doctype html>');
  const isOutage = () => {
    if (isPage) return text.includes('/sign-in?failed=provider_unavailable');
    const { code, error } = response.json();
    const isAway = code === 'guardrail_unavailable' || code === 'provider_unavailable';
    return isAway || (status === 503 && error?.code === 'model_failed');
  };
  assert.ok(status < 500 || isOutage(), told);
  assert.match(String(response.headers['x-request-id']), /^[\w.:-]{1,128}$/);
  const streams = String(response.headers['content-type']).startsWith('text/event-stream');
  // A browser gets a page for a refusal here; it runs no script and leads back to sign-in.
  if (isPage) {
    assert.equal(response.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", told);
    assert.match(text, /<a href="\/sign-in\?failed=[\w%.-]+">/, told);
    return;
  }
  // A malformed path matches no route, so its error has the general format and not that of the route.
  if (status >= 400 && route.error_format && text.startsWith('{"error"'))
    assert.deepEqual(Object.keys(response.json().error), ['message', 'type', 'param', 'code'], told);
  else if (status === 422) checkValidationErrors(response.json().detail);
  else if (status >= 400 && isScim && text.startsWith('{"schemas"')) {
    const { scimType: _, ...error } = response.json();
    assert.deepEqual(Object.keys(error).sort(), ['detail', 'schemas', 'status'], told);
  } else if (status >= 400) {
    // A refusal because of locks says which, and one because of uses by what.
    const { locks: _, used_by: __, ...error } = response.json();
    const more = detailsOf[error.code] ?? [];
    assert.deepEqual(Object.keys(error).sort(), ['code', 'detail', ...more].sort(), told);
  } else if (status === 204) assert.equal(text, '');
  // With `wait=false` an edit and a new answer are only begun.
  else if (status === 202 && startsTurns.has(route.id))
    assert.deepEqual(
      Object.keys(response.json()),
      ['run_id', 'conversation_id', 'user_message_id', 'message_id'],
      told,
    );
  // An address with `..` in it is sent as what it comes to, and another route answers.
  else if (new URL(url, 'http://here').pathname !== url.replace(/\?.*$/s, '')) return;
  else if (!route.content_type && !streams && !text.startsWith('{"detail"'))
    assert.ok(route.answer.safeParse(response.json()).success, told);
}

/** What a refusal with this code says besides its message. */
const detailsOf: Record<string, string[]> = {
  etag_mismatch: ['etag', 'updated_at', 'updated_by', 'updated_by_actor'],
  rows_changed: ['count', 'rows'],
};

test(`no request of any shape gets a 5xx or breaks anything (FUZZ_SEED=${firstSeed} repeats)`, async () => {
  const before = await call('GET', `/v1/admin/roles/${kept}`, undefined, { key: bystander.system_key });
  const untouched = async (state: Place) => {
    assert.equal((await call('GET', '/ready', undefined, { key: null })).json.status, 'ready');
    const now = await call('GET', `/v1/admin/roles/${kept}`, undefined, { key: state.system_key });
    assert.deepEqual(now.json, before.json, 'a record that no request named was changed');
    assert.equal(Object.hasOwn(Object.prototype, 'tenant_admin'), false);
    testing.logged.length = 0;
  };
  let count = 0;
  const request = fc.oneof(...app.routes.map(requestsTo));
  const end = Date.now() + seconds * 1000;
  for (let seed = firstSeed; seed === firstSeed || Date.now() < end; seed++) {
    await untouched(bystander);
    place = await freshPlace();
    scimToken = await scimTokenOf(place);
    const round = fc.asyncProperty(request, async (one) => {
      count++;
      await tryOut(one);
    });
    const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(round, {
      seed,
      numRuns: inOneRound,
      // Limits the time for shrinking a failing example.
      interruptAfterTimeLimit: 120_000,
      endOnFailure: false,
    });
    if (!failed || !counterexample) continue;
    const [{ route, ...rest }] = counterexample as [Request];
    const cause = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
    assert.fail(
      `FUZZ_SEED=${seed}, path ${counterexamplePath}: ${route.route}\n${inspect(rest, { depth: 8, maxStringLength: 400 })}\n${cause}`,
    );
  }
  await untouched(bystander);
  console.log(`${count} requests in ${seconds} s:`, Object.fromEntries([...statuses].sort()));
});
