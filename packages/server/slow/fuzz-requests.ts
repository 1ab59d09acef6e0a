import { gzipSync } from 'node:zlib';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import fc from 'fast-check';

const hostileText = fc.oneof(
  fc.constantFrom('', '\0', 'a\0b', '\ud800', '\udc00x', '__proto__', 'constructor', '😀', "'; drop table keys; --"),
  fc.constantFrom('../../etc/passwd', '%00', '#{7*7}', '{{7*7}}', '\u202e', 'NaN', '1e400', '0x10', '-0', '９'),
  fc.constantFrom('x'.repeat(3000), 'é'.repeat(70_000), '9'.repeat(5000), '2024-01-01', '+275760-09-13T00:00:00Z'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 2 ** 64),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** Any JSON at all, with names that mean something to JavaScript. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText,
    hostileNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'length', 'then', 'toJSON', ''),
        fc.string({ maxLength: 3 }),
      ),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

const own = (object: Record<string, unknown>) => Object.fromEntries(Object.entries(object));

/** A value the schema mostly takes: each place in it is now and then something else. */
export function valuesOf(node: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const sound = (): fc.Arbitrary<unknown> => {
    if (Array.isArray(node['enum'])) return fc.constantFrom(...(node['enum'] as unknown[]));
    if ('const' in node) return fc.constant(node['const']);
    const choice = (node['anyOf'] ?? node['oneOf']) as JsonSchema[] | undefined;
    if (choice) return fc.oneof(...choice.map((branch) => valuesOf(branch, ids)));
    if (node['type'] === 'object') {
      const fields = Object.entries((node['properties'] ?? {}) as Record<string, JsonSchema>);
      const record = fc.record(Object.fromEntries(fields.map(([name, of]) => [name, valuesOf(of, ids)])), {
        requiredKeys: (node['required'] ?? []) as string[],
        noNullPrototype: true,
      });
      const extra = fc.option(fc.tuple(fc.oneof(hostileText, fc.string()), anything), { freq: 15, nil: undefined });
      return fc.tuple(record, extra).map(([fields, more]) => own(more ? { ...fields, [more[0]]: more[1] } : fields));
    }
    if (node['type'] === 'array') return fc.array(valuesOf((node['items'] ?? {}) as JsonSchema, ids), { maxLength: 5 });
    if (node['type'] === 'boolean') return fc.boolean();
    if (node['type'] === 'integer' || node['type'] === 'number')
      return fc.integer({ min: (node['minimum'] as number) ?? -10, max: (node['maximum'] as number) ?? 1000 });
    if (node['format'] === 'uuid') return fc.constantFrom(...ids);
    if (node['format'] === 'date-time')
      return fc.constantFrom('2099-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', 2e10);
    return fc.string({ maxLength: Math.min((node['maxLength'] as number | undefined) ?? 20, 20) });
  };
  return fc.oneof({ weight: 12, arbitrary: sound() }, { weight: 1, arbitrary: anything });
}

export interface Payload {
  type: string | undefined;
  bytes: Buffer | string | undefined;
  chunked?: boolean;
}

const json = 'application/json';
const raw = (bytes: Buffer | string, type: string | undefined = json): Payload => ({ type, bytes });

/** Bodies that no client of good will sends. Large ones are few: each costs as much as a thousand others. */
const hostileBodies: Payload[] = [
  raw(nested(200_000, '[', '')),
  raw(nested(50, '[', ']')),
  raw(nested(65, '{"a":', '}').replace('{"a":}', '{}')),
  raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  raw('\ufeff{}'),
  raw('{"name": "x'),
  raw('{"name": "a", "name": "b", "name": {"name": 1, "name": 2}}'),
  raw('{"__proto__": {"tenant_admin": true}, "constructor": {"prototype": {"x": 1}}}'),
  raw('null'),
  raw('[]'),
  raw('"text"'),
  raw('1e400'),
  raw(''),
  raw('name=x&permissions=y', 'application/x-www-form-urlencoded'),
  raw('--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--b--', 'multipart/form-data; boundary=b'),
  raw('--b\r\n', 'multipart/form-data'),
  raw('{"name":"x"}', 'text/plain'),
  raw('{"name":"x"}', undefined),
  raw('{"name":"x"}', 'application/json; charset=utf-16'),
  raw('{"name":"x"}', 'nonsense'),
  raw(gzipSync('{"name":"x"}'), json),
  { type: json, bytes: '{"name":"chunked"}', chunked: true },
  { type: json, bytes: '{"name":"chu', chunked: true },
];
const large = [raw(JSON.stringify({ name: 'x'.repeat(10_000_000) })), raw(`[${'1,'.repeat(900_000)}1]`)];

/** A JSON text with one place changed: bytes rather than values are wrong. */
const spoilt = (text: string) =>
  fc
    .tuple(
      fc.nat(text.length),
      fc.nat(3),
      fc.constantFrom('', '\\u0000', '\\ud800', '"', '{', ',', '1e999', '\\', '"name":1,'),
    )
    .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));

export function payloads(body: JsonSchema | undefined, ids: readonly string[]): fc.Arbitrary<Payload> {
  const hostile = fc.constantFrom(...hostileBodies);
  if (!body) return fc.oneof({ weight: 4, arbitrary: fc.constant({ type: undefined, bytes: undefined }) }, hostile);
  const text = valuesOf(body, ids).map((value) => JSON.stringify(value) ?? 'null');
  return fc.oneof(
    { weight: 60, arbitrary: text.map((bytes) => raw(bytes)) },
    { weight: 15, arbitrary: text.chain(spoilt).map((bytes) => raw(bytes)) },
    { weight: 12, arbitrary: hostile },
    { weight: 1, arbitrary: fc.constantFrom(...large) },
  );
}

export const hostileSegments = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '..%2f',
    '%2e%2e',
    '__proto__',
    'x'.repeat(3000),
    '%',
    '%zz',
    'ü',
    '😀',
    '%F0%9F%98%80',
  ),
  fc.constantFrom('null', 'undefined', '0', '%20', '*', ':id', '{id}', '%0d%0aset-cookie:x', ';', '%5c', '%ed%a0%80'),
  hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 2000))),
);

export const hostileHeaders = fc.record(
  {
    'idempotency-key': fc.oneof(hostileText, fc.constantFrom('k', 'k', 'x'.repeat(256), 'ü', ' ')),
    'if-match': fc.oneof(hostileText, fc.constantFrom('*', '""', '"0-0"', 'W/"1-1"', '1-1')),
    'x-workspace-id': fc.oneof(hostileText, fc.constantFrom('', '*')),
    'x-request-id': hostileText,
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
    authorization: fc.constantFrom('Bearer ', 'Basic eDp5', 'Bearer \0'),
    range: fc.constantFrom('bytes=0-', 'bytes=5-1', 'bytes=-0', 'x'),
    accept: fc.constantFrom('text/html', '*/*', 'text/event-stream', ''),
  },
  { requiredKeys: [] },
);
