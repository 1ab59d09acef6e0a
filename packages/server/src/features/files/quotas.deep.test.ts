import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { channelApp, makesFiles } from '../channels/testing.ts';
import { fileServer, formEnd, formStart } from './testing.ts';

const none = { visitor: 0, page: 0, workspace: 0, organization: 0 };
const kilobyte = 1024;

test('64 uploads at once keep exactly what the quota of the workspace takes, and deleting makes room', async () => {
  const { upload, send, onDisk, query, place } = await fileServer({ quotas: { ...none, workspace: 1000 * kilobyte } });
  const content = 'x'.repeat(100 * kilobyte);
  const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => upload(content, `${at}.txt`)));
  const kept = answers.filter(({ status }) => status === 200);
  assert.equal(kept.length, 10);
  for (const { status, json } of answers)
    if (status !== 200) assert.deepEqual([status, json.code], [409, 'quota_reached']);
  assert.equal(onDisk().length, 10);
  assert.equal((await send('DELETE', `/v1/files/${kept[0]?.json.id}`)).status, 200);
  assert.equal((await upload(content, 'again.txt')).status, 200);
  assert.equal((await upload('y', 'one-more.txt')).status, 409);
  const counted = await query("select bytes::int from byte_accounts where kind = 'workspace' and id = $1", [place.id]);
  assert.equal(counted[0].bytes, 1000 * kilobyte);
  assert.equal((await query('select 1 from file_uploads')).length, 0);
});

test('a long upload is refused when it reaches the quota, and nothing of it is kept or counted', async () => {
  const { stream, onDisk, query, place, upload } = await fileServer({
    quotas: { ...none, workspace: 20 * 1024 * kilobyte },
  });
  const piece = Buffer.alloc(64 * kilobyte);
  let sent = 0;
  function* endless() {
    yield formStart;
    for (; sent < 60 * 1024 * kilobyte; sent += piece.length) yield piece;
    yield formEnd;
  }
  const { answer } = stream(endless());
  const { status, json } = await answer;
  assert.deepEqual([status, (json as { code?: string }).code], [409, 'quota_reached']);
  assert.deepEqual(onDisk(), []);
  const rows = await query("select bytes::int from byte_accounts where kind = 'workspace' and id = $1", [place.id]);
  assert.equal(rows[0].bytes, 0);
  const whole = await upload(Buffer.alloc(20 * 1024 * kilobyte), 'fits.bin');
  assert.equal(whole.status, 200);
});

test('the quota of the organization holds over its workspaces, and a deleted workspace gives its part back', async () => {
  const { upload, workspace, call, admin } = await fileServer({ quotas: { ...none, organization: 100 * kilobyte } });
  const other = await workspace();
  const content = 'x'.repeat(60 * kilobyte);
  assert.equal((await upload(content, 'a.txt')).status, 200);
  const refused = await upload(content, 'b.txt', { key: other.key });
  assert.deepEqual([refused.status, refused.json.code], [409, 'quota_reached']);
  assert.equal((await upload('x'.repeat(40 * kilobyte), 'c.txt', { key: other.key })).status, 200);
  assert.equal((await call('DELETE', `/v1/admin/groups/${other.id}`, undefined, { key: admin })).status, 200);
  assert.equal((await upload('x'.repeat(40 * kilobyte), 'd.txt')).status, 200);
});

test('a workspace keeps no more than its own quota, which only the organization sets and the server can tighten', async () => {
  const { upload, call, admin, place, workspace } = await fileServer({
    quotas: { ...none, workspace: 3 * 1024 * kilobyte },
  });
  const at = `/v1/admin/groups/${place.id}`;
  const weak = await call(
    'POST',
    `${at}/api-keys`,
    { name: 'w', permissions: ['workspace_write', 'workspace_admin'] },
    { key: admin },
  );
  const limit = (file_quota_mb: number, key = admin) => call('PATCH', at, { file_quota_mb }, { key });
  const refused = await limit(100, weak.json.value);
  assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden']);
  assert.equal((await limit(1)).json.file_quota_mb, 1);
  const half = 'x'.repeat(600 * kilobyte);
  const first = await upload(half, 'a.txt');
  assert.equal(first.status, 200);
  const second = await upload(half, 'b.txt');
  assert.deepEqual([second.status, second.json.code], [409, 'quota_reached']);
  assert.match(second.json.detail, /1 MB/);
  assert.equal((await call('GET', at, undefined, { key: admin })).json.file_bytes, 600 * kilobyte);
  const other = await workspace();
  assert.equal((await upload(half + half, 'c.txt', { key: other.key })).status, 200, 'another workspace has none');
  await limit(100);
  for (const name of ['d', 'e', 'f', 'g']) assert.equal((await upload(half, name)).status, 200, name);
  assert.equal((await upload(half, 'h')).status, 409, 'the limit of the server');
  await limit(0);
  assert.equal((await upload(half, 'h')).status, 409);
});

test('attachments of messages and files that agents make count, and none is kept beyond the quota', async () => {
  const app = await scriptedApp({ quotas: { ...none, workspace: 50 * kilobyte } });
  const { server, name } = await app.provider();
  const settings = { model: [`${name}/one`], max_retries_per_model: 0, ...makesFiles.settings };
  const id = await app.converse(settings);
  const b64_content = Buffer.alloc(60 * kilobyte).toString('base64');
  const files = [{ name: 'big.bin', b64_content }];
  const refused = await app.call('POST', `/v1/conversations/${id}`, { content: 'Read it', files });
  assert.deepEqual([refused.status, refused.json.code], [409, 'quota_reached']);
  server.reply(...makesFiles.replies({ filename: 'a', format: 'html', content: 'word '.repeat(20 * kilobyte) }));
  await app.say(id, 'Make it');
  assert.match(JSON.stringify(server.last().body.messages), /this workspace may keep .* and files/);
  assert.equal((await app.query('select 1 from files')).length, 0);
});

test('a guest can not fill the disk: not by messages, new conversations or many at once; others still have room', async () => {
  const { app, call, deploy, query } = await channelApp({
    ...{ quotas: { ...none, visitor: 250 * kilobyte, page: 700 * kilobyte }, trusted_proxies: ['10.9.0.0/16'] },
  });
  const { deployment } = await deploy({ channel: 'web', config: { max_visitor_messages_per_minute: 1000 } });
  const page = (await call('GET', deployment.page_path, undefined, { key: null })).text;
  const { token } = JSON.parse(/id="chat">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
  const files = [{ name: 'junk.bin', b64_content: Buffer.alloc(100 * kilobyte, 7).toString('base64') }];

  /** A conversation of a visitor at this address. */
  async function begin(address: string) {
    const begun = await app.server.inject({
      ...{ method: 'POST', url: deployment.inbound_path, remoteAddress: address, payload: { token } },
    });
    assert.equal(begun.statusCode, 200, begun.payload);
    return `/v1/public/conversations/${begun.json().token}/stream?format=ui`;
  }
  const say = async (url: string, content = 'Keep this') => {
    const sent = await app.server.inject({ method: 'POST', url, payload: { content, files } });
    return { status: sent.statusCode, code: sent.statusCode === 200 ? null : sent.json().code };
  };
  const bytes = async () => Number((await query('select coalesce(sum(size), 0)::int as sum from files'))[0].sum);

  // Many conversations of one visitor, all at once.
  const many = await Promise.all(Array.from({ length: 12 }, () => begin('203.0.113.5')));
  const answers = await Promise.all(many.map((url) => say(url)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 2);
  for (const { status, code } of answers) if (status !== 200) assert.deepEqual([status, code], [409, 'quota_reached']);
  assert.equal(await bytes(), 200 * kilobyte);
  assert.deepEqual(await say(await begin('203.0.113.5')), { status: 409, code: 'quota_reached' });

  // Another visitor is not affected, until the page is full.
  const taken: number[] = [];
  for (const address of ['203.0.113.6', '203.0.113.7', '203.0.113.8'])
    for (let count = 0; count < 2; count++) taken.push((await say(await begin(address))).status);
  assert.deepEqual(taken, [200, 200, 200, 200, 200, 409]);
  assert.equal(await bytes(), 700 * kilobyte);

  // The workspace itself still keeps its own.
  const own = await call('POST', '/v1/conversations', { name: 'x', settings: { model: ['atrium/extractive'] } });
  const sent = await call('POST', `/v1/conversations/${own.json.id}`, { content: 'Mine', files });
  assert.equal(sent.status, 200, sent.text);
});
