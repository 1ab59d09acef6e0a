import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { testApp } from './support/test-app.ts';

/*
 * The database has done what it was asked for, and its answer is lost: the request fails, and what it has stored must be
 * whole when the client repeats it.
 */

let proxy: DatabaseProxy | undefined;
const { call } = await testApp({ roles: ['http'] }, {}, async (connection) => {
  proxy = await startDatabaseProxy(connection);
  return { ...connection, host: '127.0.0.1', port: proxy.port };
});
after(() => proxy?.close());

const text = 'The lighthouse keeper is Ada.';

/** Sends the same request again until it is answered, as clients with an Idempotency-Key do. */
async function insist(path: string, body: unknown, headers: Record<string, string>) {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await call('POST', path, body, { headers });
    statuses.push(answer.status);
    if (answer.status === 200) return { ...answer, statuses };
    assert.ok(answer.status >= 500 || answer.status === 409, answer.text);
  }
  return assert.fail(`it is not answered: ${statuses}`);
}

async function downloaded(): Promise<string[]> {
  const { json } = await call('GET', '/v1/files?size=100');
  const answers = json.items.map(({ id }: { id: string }) => call('GET', `/v1/files/${id}`));
  return (await Promise.all(answers)).map((answer) => `${answer.status} ${answer.text}`);
}

test('keeps the file of a document whose upload was stored without an answer', async () => {
  const base = await call('POST', '/v1/knowledge-bases', { name: 'Base', settings_: { auto_summary: false } });
  const file = 'content-disposition: form-data; name="files"; filename="a.txt"';
  const form = Buffer.from(`--B\r\n${file}\r\n\r\n${text}\r\n--B--\r\n`);
  const headers = { 'content-type': 'multipart/form-data; boundary=B', 'idempotency-key': 'upload' };
  proxy?.loseAnswer('insert into kb_documents', 'commit\0');
  const { statuses } = await insist(`/v1/knowledge-bases/${base.json.id}/upload_train`, form, headers);
  assert.notEqual(statuses[0], 200);
  const { json } = await call('GET', `/v1/knowledge-bases/${base.json.id}/documents`);
  assert.equal(json.items.length, 1);
  assert.deepEqual(await downloaded(), [`200 ${text}`]);
});

test('keeps the file of a message that was stored without an answer', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', { name: 'test', settings: {} });
  const url = `data:text/plain;base64,${Buffer.from('The harbour is closed.').toString('base64')}`;
  const files = [{ status: 'success', name: 'b.txt', url, size: 1, type: 'text/plain' }];
  proxy?.loseAnswer('insert into runs');
  const said = await call('POST', `/v1/conversations/${conversation.id}/chat`, { content: 'What is new?', files });
  assert.ok(said.status >= 500, said.text);
  const { json } = await call('GET', `/v1/conversations/${conversation.id}`);
  assert.match(JSON.stringify(json.messages), /b\.txt/);
  assert.deepEqual((await downloaded()).sort(), ['200 The harbour is closed.', `200 ${text}`]);
});
