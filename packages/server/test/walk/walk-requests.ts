import assert from 'node:assert/strict';
import { methodAndPath } from '@atrium/contract/operation.ts';
import type { Route } from '../../src/lib/route.ts';
import { plainSchema, type Reference, referencesIn, sampleOf, withId, withOwnIds } from '../support/schema-samples.ts';
import { form, hasMaker, type Place } from './walk-fixtures.ts';

const broken = '{"name": "x", ';

export interface Sent {
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The path parameters, in order; a `kind` says whose id one is. */
export const paramsOf = (route: Route) => {
  const properties = (plainSchema(route.params)['properties'] ?? {}) as Record<string, Record<string, unknown>>;
  return [...methodAndPath(route).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = properties[name] ?? {};
    const kind = schema['x-refers-to'] as string | undefined;
    // A name or a token is known by the parameter; one of a closed set needs no record at all.
    const maker = kind ?? (schema['format'] === 'uuid' || schema['enum'] ? undefined : `path:${name}`);
    return { name, kind, maker, schema };
  });
};

/** What the tus protocol says in headers. */
const uploadHeaders: Record<string, Record<string, string>> = {
  'uploads.create': { 'tus-resumable': '1.0.0', 'upload-length': '4' },
  'uploads.append': {
    ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  },
};

/** A request that the route takes, all of whose ids are those of one place. */
export async function requestTo(route: Route, place: Place) {
  const [body, search] = [plainSchema(route.body), plainSchema(route.query)];
  const ids = new Map<string, string>();
  const kinds = [
    ...referencesIn(body),
    ...referencesIn(search),
    ...paramsOf(route).map(({ maker }) => ({ kind: maker })),
  ].flatMap(({ kind }) => kind ?? []);
  for (const kind of kinds) ids.set(kind, await place.record(kind));
  if (ids.has('approval')) ids.set('conversation', await place.record('waiting_conversation'));
  const idOf = (kind: string) => ids.get(kind) as string;
  const params: Record<string, string> = Object.fromEntries(
    paramsOf(route).map(({ name, maker, schema }) => [name, maker ? idOf(maker) : String(sampleOf(schema, idOf))]),
  );
  const endless: Record<string, string> = route.id === 'events.follow' ? { seconds: '0' } : {};
  const queryValues = { ...(route.query && (sampleOf(search, idOf) as Record<string, string>)), ...endless };
  const sent = (at: Record<string, string>, values: Record<string, string>, payload: unknown): Sent => {
    const path = methodAndPath(route).path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(at[name] as string),
    );
    const text = new URLSearchParams(values).toString();
    const url = text ? `${path}?${text}` : path;
    const part = uploadHeaders[route.id];
    if (part) return { url, headers: part, body: route.id === 'uploads.append' ? Buffer.from('walk') : undefined };
    return route.upload && !route.body ? { url, ...form(route.upload.field, route.id) } : { url, body: payload };
  };
  const example = route.body && withOwnIds(body, route.example ?? {}, idOf);
  return {
    good: sent(params, queryValues, example),
    bad: {
      ...sent(Object.fromEntries(Object.keys(params).map((name) => [name, 'x'])), queryValues, broken),
      body: broken,
    },
    inPath: (name: string, id: string) => sent({ ...params, [name]: id }, queryValues, example),
    inQuery: ({ path }: Reference, id: string) => sent(params, { ...queryValues, [String(path[0]?.at)]: id }, example),
    inBody: ({ path }: Reference, id: string) => sent(params, queryValues, withId(example, path, id, idOf)),
  };
}

/** What a route has to say of itself for the walk, the reference and the SDKs to use it. */
export function checkDeclaration(route: Route): void {
  const name = route.route;
  assert.ok(route.summary.trim(), `${name} has no summary`);
  for (const param of paramsOf(route)) {
    const advice = param.maker
      ? `makers in walk-fixtures.ts has none for "${param.maker}"`
      : 'say what it refers to with s.uuid(kind)';
    const known = param.maker ? hasMaker(param.maker) : param.schema['enum'];
    assert.ok(known, `${name}: the path parameter ${param.name} can't be tried: ${advice}`);
  }
  for (const { kind } of [...referencesIn(plainSchema(route.body)), ...referencesIn(plainSchema(route.query))])
    assert.ok(hasMaker(kind), `${name} refers to a ${kind}: makers in walk-fixtures.ts has none for this kind`);
  if (route.body && !route.body.safeParse({}).success) assert.ok(route.example, `${name} has a body but no example`);
  if (route.body && route.example) {
    const parsed = route.body.safeParse(route.example);
    assert.ok(parsed.success, `${name} does not take its own example: ${parsed.error?.message}`);
  }
  const anything = [0.5, 'any text', { 'no such field': 1 }, [[]]].every(
    (value) => route.answer.safeParse(value).success,
  );
  assert.ok(!anything || route.content_type, `${name}: its answer schema takes anything`);
}
