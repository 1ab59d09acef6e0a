import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { operations } from '@atrium/contract/operations.ts';
import { build } from 'esbuild';
import { downloads, isWithoutKey, raws, streams, uploads } from '../src/operation-kinds.ts';
import { routeOf, routes } from '../src/routes/routes.ts';

const served = operations.filter(({ id }) => !/^scim\.|Alias$/.test(id));
const idsOf = (chosen: typeof served) => chosen.map(({ id }) => id).sort();

test('the bundle is smaller than 9 KB, without zod, schemas or anything of Node', async (context) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../src/index.ts')],
    ...{ bundle: true, platform: 'browser', format: 'esm', minify: true, write: false, metafile: true },
    logLevel: 'silent',
  });
  const { contents = new Uint8Array(), text = '' } = outputFiles[0] ?? {};
  const size = gzipSync(contents, { level: 9 }).length;
  context.diagnostic(`${size} bytes gzip`);
  assert.ok(size < 9 * 1024, `${size} bytes`);
  assert.deepEqual(
    Object.keys(metafile.inputs).filter((file) => !file.includes('packages/sdk/src/')),
    [],
  );
  assert.doesNotMatch(text, /\bzod\b|\bnode:|\b(Buffer|process|require|__dirname)\b/);
});

test('the table of routes has every operation of the contract, and no other', () => {
  const own = Object.entries(routes).flatMap(([resource, [base, verbs]]) =>
    Object.entries(verbs).map(([verb, entry]) => {
      const { method, path } = routeOf(base, verb, entry);
      return [`${resource}.${verb}`, `${method} ${path}`] as const;
    }),
  );
  const expected = served.map(({ id, route }) => [id, route.replaceAll(/\{\w+\}/g, '{}')] as const);
  assert.deepEqual(Object.fromEntries(own), Object.fromEntries(expected));
});

test('downloads, uploads, streams, raw bodies and operations without a key are those of the contract', () => {
  const isStream = ({ content_type }: { content_type?: string }) => content_type === 'text/event-stream';
  assert.deepEqual([...downloads].sort(), idsOf(served.filter((one) => one.content_type && !isStream(one))));
  assert.deepEqual([...streams].sort(), idsOf(served.filter(isStream)));
  assert.deepEqual([...raws].sort(), idsOf(served.filter(({ raw }) => raw)));
  const fields = served.flatMap(({ id, upload }) => (upload ? [[id, upload.field]] : []));
  assert.deepEqual({ ...uploads }, Object.fromEntries(fields));
  const posts = served.filter(({ route }) => route.startsWith('POST '));
  assert.deepEqual(
    idsOf(posts.filter(({ id }) => isWithoutKey(id))),
    idsOf(posts.filter(({ idempotency }) => idempotency === 'none')),
  );
});
