import { Readable } from 'node:stream';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { fieldsOf } from '../lib/json/fields-of.ts';
import { omit } from '../lib/omit.ts';
import { RawAnswer } from '../lib/responses/raw-answer.ts';
import type { Route } from '../lib/route.ts';
import type { Scope } from '../lib/scope.ts';
import type { AnyInput } from './validate.ts';

/** Fails as reading the records of a request would: not found where the caller sees one of them no longer. */
export type RecheckRights = (scope: Scope, params: unknown, answer: string) => Promise<void>;

const idIn = (answer: string): unknown => {
  try {
    return fieldsOf(JSON.parse(answer))['id'];
  } catch {
    return undefined;
  }
};

/** The ids that a path has, of those of a longer one; both name them in the same order. */
function paramsOf(route: Route, params: unknown): Record<string, unknown> {
  const names = [...methodAndPath(route).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = Object.values(fieldsOf(params));
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/** A request that reads the record of this path, with nothing but its ids. */
const inputOf = (route: Route, params: unknown): AnyInput => ({
  ...{ params: route.params?.parse(paramsOf(route, params)), query: route.query?.safeParse({}).data, body: undefined },
  ...{ if_match: undefined, last_event_id: undefined, range: undefined, if_range: undefined },
  ...{ async *files() {}, fields: {}, is_form: false, raw: () => ({ bytes: Buffer.alloc(0), headers: {} }) },
});

/**
 * Reads the records that a POST names in its path, and the one that it has created, before its stored answer is given
 * again: a caller gets no answer about what it has lost the right to. A record that is gone is answered as not found.
 */
export function makeRecheckRights(routes: readonly Route[]): (route: Route) => RecheckRights {
  const readers = new Map(
    routes.flatMap((route) => {
      const { method, path } = methodAndPath(route);
      const name = /\{(\w+)\}$/.exec(path)?.[1];
      return method === 'GET' && name ? [[path.replaceAll(/\{\w+\}/g, '{}'), { route, name }] as const] : [];
    }),
  );
  return (route) => {
    const path = methodAndPath(route).path.replaceAll(/\{\w+\}/g, '{}');
    const above = [...path.matchAll(/\{\}/g)].flatMap(({ index }) => readers.get(path.slice(0, index + 2)) ?? []);
    const created = readers.get(`${path}/{}`);
    return async (scope, params, answer) => {
      const own = omit(scope, ['idempotency', 'audit', 'save_check']);
      const read = async (reader: Route, named: unknown) => {
        const result = await reader.handler(own, inputOf(reader, named));
        if (result instanceof RawAnswer && result.body instanceof Readable) result.body.destroy();
      };
      for (const reader of above) await read(reader.route, params);
      const id = created && idIn(answer);
      if (created && typeof id === 'string') await read(created.route, { ...fieldsOf(params), [created.name]: id });
    };
  };
}
