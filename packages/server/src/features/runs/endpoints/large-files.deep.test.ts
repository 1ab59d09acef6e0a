import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { openTestServer } from './testing.ts';

const megabyte = 1024 * 1024;
const { talk, post, query, provider } = await openTestServer({ web_allow: ['127.0.0.1'] });
const files = async () => Number((await query('select count(*) from files'))[0].count);

const server = createServer((request, response) => {
  const size = Number(request.url?.slice(1));
  response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(size, 'a'));
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
after(() => void server.closeAllConnections());
after(() => void server.close());
const url = (size: number) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${size}`;

test('a file of 30 MB from an address is refused by name, one of 24 MB is taken', async () => {
  const path = await talk();
  const before = await files();
  const refused = await post(path, { content: 'x', files: [{ name: 'big.txt', url: url(30 * megabyte) }] });
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.json.detail[0].msg, /big\.txt.*25/s);
  assert.equal(await files(), before);
  provider.reply({ text: 'Taken.' });
  const taken = await post(path, { content: 'x', files: [{ name: 'less.txt', url: url(24 * megabyte) }] });
  assert.equal(taken.status, 200, taken.text.slice(0, 300));
  assert.equal(taken.json.messages[0].message_parts[0].files[0].size, 24 * megabyte);
});

test('a message with a file of 30 MB in it is taken or refused clearly, and nothing is left behind', async () => {
  const path = await talk();
  const before = await files();
  provider.reply({ text: 'Taken.' });
  const b64_content = Buffer.alloc(30 * megabyte, 'a').toString('base64');
  const { status, json } = await post(path, { content: 'x', files: [{ name: 'big.txt', b64_content }] });
  assert.deepEqual([status, json.code], [413, 'too_large']);
  assert.match(json.detail, /\d+ MB|large/);
  assert.equal(await files(), before);
});

test('a file that fits the body goes to the model as far as its text has room', async () => {
  const path = await talk();
  provider.reply({ text: 'Taken.' });
  const b64_content = Buffer.alloc(20 * megabyte, 'word ').toString('base64');
  const { status, json } = await post(path, { content: 'x', files: [{ name: 'big.txt', b64_content }] });
  assert.deepEqual([status, json.status], [200, 'completed']);
  assert.ok(JSON.stringify(provider.last().body).length < megabyte, 'not all of it');
});
