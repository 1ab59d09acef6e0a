import { methodAndPath } from '@atrium/contract/operation.ts';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { Route } from '../../src/lib/route.ts';
import { plainSchema, referencesIn, sampleOf, withId, withOwnIds } from '../../test/support/schema-samples.ts';
import { form } from '../../test/walk/walk-fixtures.ts';
import { paramsOf } from '../../test/walk/walk-requests.ts';
import { neighbour, type Planting } from './planting.ts';

type Records = Planting['records'];
/** The requests to one path: the first as simple as it can be, the others with filters, formats and bodies. */
export type Attempts = [Attempt, ...Attempt[]];
export interface Attempt {
  method: string;
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const mostRecords = 40;

/** Paths of a route: one for each record of the last kind in it, with the records that this one belongs to. */
function pathsOf(route: Route, records: Records, token: string | undefined): string[] {
  const params = paramsOf(route);
  const { path } = methodAndPath(route);
  const last = params.findLast(({ maker }) => maker && maker !== 'path:token')?.maker;
  const chosen = last ? (records.get(last) ?? []).slice(0, mostRecords) : [{ id: '', parents: {} }];
  const idFor = (kind: string, { id, parents }: { id: string; parents: Readonly<Record<string, string>> }) =>
    kind === 'path:token'
      ? (token ?? 'none')
      : kind === last
        ? id
        : (parents[kind] ?? records.get(kind)?.[0]?.id ?? 'x');
  return chosen.flatMap((record) => {
    const open = params.find(({ maker }) => !maker);
    // A parameter of a closed set takes each of its values.
    const choices = open
      ? ((open.schema['enum'] as string[] | undefined) ?? [String(sampleOf(open.schema, () => ''))])
      : [''];
    return choices.map((choice) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const maker = params.find((param) => param.name === name)?.maker;
        return encodeURIComponent(maker ? idFor(maker, record) : choice);
      }),
    );
  });
}

/** The values that a parameter of a query is tried with, beside its absence. */
function valuesOf(name: string, schema: JsonSchema, records: Records): string[] {
  const kind = schema['x-refers-to'];
  if (typeof kind === 'string') return (records.get(kind) ?? []).slice(0, mostRecords).map(({ id }) => id);
  if (/^(q|query|search|filename|name|text)$/.test(name)) return [neighbour];
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String);
  if (schema['type'] === 'boolean') return ['true'];
  const choices = [schema['anyOf'], schema['oneOf']].flatMap((list) => (list ?? []) as JsonSchema[]);
  return choices.flatMap((choice) => valuesOf(name, choice, records));
}

function queriesOf(route: Route, records: Records): [string, ...string[]] {
  const schema = plainSchema(route.query);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const idOf = (kind: string) => records.get(kind)?.[0]?.id ?? 'x';
  const sample = route.query ? (sampleOf(schema, idOf) as Record<string, string>) : {};
  const base: Record<string, string> = { ...sample };
  for (const [name, { maximum }] of properties)
    if (/^(size|limit)$/.test(name)) base[name] = String(Math.min(Number(maximum ?? 100), 100));
  if (base['q'] !== undefined) base['q'] = neighbour;
  if (route.id === 'events.follow') base['seconds'] = '0';
  const text = (values: Record<string, string>) => {
    const joined = new URLSearchParams(values).toString();
    return joined && `?${joined}`;
  };
  const more = properties.flatMap(([name, own]) =>
    /^(size|limit|page|seconds|sort)$/.test(name)
      ? []
      : valuesOf(name, own, records).map((value) => text({ ...base, [name]: value })),
  );
  return [text(base), ...more.filter((query) => query !== text(base))];
}

/** Bodies: the example with ids of planted records, and one for each record that each reference can name. */
function bodiesOf(route: Route, records: Records): unknown[] {
  if (!route.body) return [undefined];
  if (route.id === 'tables.query')
    return (records.get('sql_name') ?? []).map(({ id }) => ({ sql: `select * from "${id}" limit 500` }));
  const schema = plainSchema(route.body);
  const idOf = (kind: string) => records.get(kind)?.[0]?.id ?? 'x';
  const own = withOwnIds(schema, route.example ?? {}, idOf) as Record<string, unknown>;
  const example = typeof own['query'] === 'string' ? { ...own, query: neighbour } : own;
  const referring = referencesIn(schema).flatMap((reference) =>
    (records.get(reference.kind) ?? []).slice(0, 6).map(({ id }) => withId(example, reference.path, id, idOf)),
  );
  return [example, ...referring.slice(0, 8)];
}

/** Every request of the walk to a route, by path. */
export function attemptsAt(route: Route, records: Records, token: string | undefined): Attempts[] {
  const { method } = methodAndPath(route);
  const queries = queriesOf(route, records);
  const uploaded = route.upload && !route.body ? form(route.upload.field, route.id) : undefined;
  return pathsOf(route, records, token).map((path) => {
    if (uploaded) return [{ method, url: `${path}${queries[0]}`, ...uploaded }];
    if (method === 'GET') return queries.map((query) => ({ method, url: `${path}${query}` })) as Attempts;
    return bodiesOf(route, records).map((body) => ({ method, url: `${path}${queries[0]}`, body })) as Attempts;
  });
}
