import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Atrium, AtriumError } from '@atrium/sdk';
import { listenOnSocket } from '../../server/test/support/socket-client.ts';
import { testApp } from '../../server/test/support/test-app.ts';

const testing = await testApp();
const { port } = await listenOnSocket(testing.app);
const baseUrl = `http://127.0.0.1:${port}`;
const { key, id: workspaceId } = await testing.workspace();
const options = { baseUrl, apiKey: key, retryPause: 5 };
const client = new Atrium(options);

/** A client whose first answers are lost after the server has worked, or replaced by others. */
function losing(...answers: (Response | 'lose')[]) {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const fetchAnswer = async (url: string, init: RequestInit) => {
    sent.push({ url, headers: init.headers as Record<string, string> });
    const answer = answers.shift();
    if (answer !== 'lose') return answer ?? fetch(url, init);
    await (await fetch(url, init)).arrayBuffer();
    throw new TypeError('fetch failed');
  };
  return { sent, client: new Atrium({ ...options, fetch: fetchAnswer }) };
}

const rejected = async (promise: Promise<unknown>): Promise<AtriumError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AtriumError, String(error));
  return error;
};

test('repeats of a POST whose answers were lost make one conversation', async () => {
  const { client: shaky, sent } = losing('lose', 'lose');
  const name = `once ${Date.now()}`;
  const made = await shaky.conversations.create({ name });
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1);
  const { items } = await client.conversations.list({ search: name, include_empty: true });
  assert.deepEqual(
    items.map(({ id }) => id),
    [made.id],
  );
});

test('waits as Retry-After says, and does not repeat a PATCH that may have been done', async () => {
  const busy = new Response('{}', { status: 429, headers: { 'retry-after': '0' } });
  const { client: limited, sent } = losing(busy, new Response('', { status: 502 }));
  await limited.agents.list();
  assert.equal(sent.length, 3);
  const agent = await client.agents.create({ name: 'One', definition: {} });
  const { client: cut, sent: patches } = losing('lose');
  assert.equal((await rejected(cut.agents.update(agent.id, { name: 'Two' }))).code, 'network');
  assert.equal(patches.length, 1);
  const later = losing(new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }));
  assert.equal((await rejected(later.client.agents.list())).retryAfter, 3600);
});

test('gives the faults of a 422 by field, and the request id', async () => {
  const wrong = { name: 'One', definition: { temperature: 'hot' as unknown as number } };
  const error = await rejected(client.agents.create(wrong));
  assert.deepEqual([error.status, error.code], [422, 'validation_error']);
  assert.deepEqual(Object.keys(error.fields), ['definition.temperature']);
  assert.deepEqual(error.faults[0]?.loc, ['body', 'definition', 'temperature']);
  assert.match(error.requestId ?? '', /.{8}/);
  assert.match(error.message, /^body\.definition\.temperature: Input should be/);
});

test('says who changed a record that is newer than If-Match', async () => {
  const agent = await client.agents.create({ name: 'One', definition: {} });
  const changed = await client.agents.update(agent.id, { name: 'Two' }, { ifMatch: agent.etag });
  const { status, etagMismatch } = await rejected(
    client.agents.update(agent.id, { name: 'X' }, { ifMatch: agent.etag }),
  );
  assert.deepEqual([status, etagMismatch?.etag, etagMismatch?.updated_by_actor?.name], [409, changed.etag, 'test']);
});

test('reads all pages as one list', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `paged ${n}`);
  for (const name of names) await client.agents.create({ name, definition: {} });
  const found: string[] = [];
  for await (const agent of client.agents.each({ search: 'paged', size: 3, sort: 'name' })) found.push(agent.name);
  assert.deepEqual(found, names);
  const table = await client.tables.create({ name: 'sdk_rows', columns: [{ name: 'n', type: 'integer' }] });
  await client.rows.insert(
    table.id,
    names.map((_, n) => ({ n })),
  );
  const rows: unknown[] = [];
  for await (const row of client.rows.each(table.id, { size: 3, sort: 'n' })) rows.push(row['n']);
  assert.deepEqual(rows, [0, 1, 2, 3, 4, 5, 6]);
});

test('refuses an empty id before it asks for another record', async () => {
  await assert.rejects(client.agents.get(''), /agents\.get needs argument 1/);
});

test('aborts with the reason of the signal, and times out as an error of its own', async () => {
  const reason = new Error('left');
  await assert.rejects(client.agents.list({}, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  const silent = createServer(() => {});
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
  after(() => silent.close());
  const slow = new Atrium({ baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, maxRetries: 0 });
  assert.equal((await rejected(slow.agents.list({}, { timeout: 20 }))).code, 'timeout');
  silent.closeAllConnections();
});

test('asks once to sign in for all requests that were refused, and sends them again', async () => {
  let asked = 0;
  const headers: Record<string, string> = {};
  const late = new Atrium({
    ...{ baseUrl, headers },
    onUnauthorized: async () => {
      asked++;
      await new Promise((done) => setTimeout(done, 20));
      headers['x-api-key'] = key;
      return true;
    },
  });
  await Promise.all([late.agents.list(), late.files.list()]);
  assert.equal(asked, 1);
});

test('uploads with progress and downloads the same bytes', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const steps: number[] = [];
  const file = await client.files.upload(new File([bytes], 'sälad.bin'), {
    onProgress: ({ loaded, total }) => {
      assert.equal(total, bytes.length);
      steps.push(loaded);
    },
  });
  assert.deepEqual([file.filename, file.size, steps.at(-1)], ['sälad.bin', bytes.length, bytes.length]);
  const response = await client.files.download(file.id);
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  assert.equal(
    client.url('files.thumbnail', file.id, { width: 64 }),
    `${baseUrl}/v1/files/${file.id}/thumbnail?width=64`,
  );
});

test('a resumable upload goes on after lost parts, and with its id after it was broken off', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const real = new Response('', { status: 503 });
  // The answer to the creation comes, the first part is refused, the answer to the second is lost.
  const plan: ('real' | Response | 'lose')[] = ['real', real, 'real', 'lose'];
  const fetchAnswer = async (url: string, init: RequestInit) => {
    const next = plan.shift() ?? 'real';
    if (next instanceof Response) return next;
    const answer = await fetch(url, init);
    if (next === 'real') return answer;
    throw new TypeError('fetch failed');
  };
  const shaky = new Atrium({ ...options, fetch: fetchAnswer });
  let uploadId = '';
  const steps: number[] = [];
  const file = await shaky.files.uploadResumable(new File([bytes], 'large.bin'), {
    partSize: 20_000,
    onStart: (id) => {
      uploadId = id;
    },
    onProgress: ({ loaded }) => steps.push(loaded),
  });
  assert.deepEqual([file.id, file.size], [uploadId, bytes.length]);
  assert.deepEqual(steps, [0, 0, 20_000, 40_000, 50_000]);
  assert.deepEqual(new Uint8Array(await (await client.files.download(file.id)).arrayBuffer()), bytes);

  const control = new AbortController();
  const blob = new Blob([bytes]);
  const first = client.files.uploadResumable(blob, {
    ...{ partSize: 20_000, signal: control.signal, name: 'late.bin' },
    onStart: (id) => {
      uploadId = id;
    },
    onProgress: ({ loaded }) => loaded === 20_000 && control.abort(),
  });
  await assert.rejects(first, { name: 'AbortError' });
  const begun: number[] = [];
  const late = await client.files.uploadResumable(blob, { uploadId, onProgress: ({ loaded }) => begun.push(loaded) });
  assert.deepEqual([late.id, late.filename, late.size, begun[0]], [uploadId, 'late.bin', bytes.length, 20_000]);
});

test('works in the workspace that it is told', async () => {
  const admin = new Atrium({ baseUrl, apiKey: testing.admin });
  await client.agents.create({ name: 'Only here', definition: {} });
  const search = { search: 'Only here' };
  assert.equal((await admin.agents.list(search)).total, 0);
  assert.equal((await admin.inWorkspace(workspaceId).agents.list(search)).total, 1);
});
