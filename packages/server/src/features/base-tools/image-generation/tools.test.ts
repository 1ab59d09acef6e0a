import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { toolApp } from '../testing.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const asked: { path: string; body: { prompt: string; model: string; size?: string } }[] = [];
let status = 200;
const server = createServer(async (request, response) => {
  asked.push({ path: request.url ?? '', body: JSON.parse(await text(request)) });
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(status === 200 ? { created: 1, data: [{ b64_json: png }] } : { error: { message: 'no' } }),
  );
});
// Only the client closes idle connections: if both sides close at once, a request loses its answer.
server.keepAliveTimeout = 0;
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
after(() => {
  server.closeAllConnections();
  server.close();
});
const account = {
  ...{ name: 'painter', provider: 'openai-compatible' as const, api_key: 'k', models: ['brush'] },
  ...{ base_urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`] },
  ...{ api_version: null, region: null, access_key_id: null, secret_access_key: null },
};
const on = { image_generation: {} };

test('image_generation adds an image to the reply and sends nothing private to the model', async () => {
  const app = await toolApp({ providers: [account], image_model: 'painter/brush' });
  const id = await app.converse(on, { pii_anonimization: [{ value: 'EMAIL_ADDRESS' }] });
  const prompt = 'A heron that writes to ada@example.com';
  const { results, parts } = await app.calling(id, [
    ['image_generation_make', { prompt, shape: 'wide', filename: 'heron' }],
  ]);
  const [file] = results[0].files;
  assert.deepEqual([file.name, file.type, file.inline], ['heron.png', 'image/png', true]);
  assert.deepEqual(await app.bytesOf(file.id), Buffer.from(png, 'base64'));
  assert.ok(parts.some((part) => part.type === 'file' && part.files[0].id === file.id));
  assert.equal(asked[0]?.path, '/v1/images/generations');
  assert.partialDeepStrictEqual(asked[0]?.body, {
    ...{ model: 'brush', size: '1536x1024', prompt: 'A heron that writes to <EMAIL_ADDRESS_1>' },
  });

  status = 400;
  const failed = await app.calling(id, [['image_generation_make', { prompt: 'x' }]]);
  assert.match(failed.results[0].error, /^No image was made: /);
});

test('image_generation says what to configure without an image model, and is not offered when it is off', async () => {
  const app = await toolApp();
  const { results } = await app.calling(await app.converse(on), [['image_generation_make', { prompt: 'x' }]]);
  assert.match(results[0].error, /ATRIUM_IMAGE_MODEL/);
  await app.calling(await app.converse(), [['clock_now', {}]]);
  assert.ok(!app.offered().includes('image_generation_make'));
});
