import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';

const megabyte = 1024 * 1024;
const none = { visitor: 0, page: 0, workspace: 0, organization: 0 };

/** A server whose workspaces may keep so much. */
async function serverWith(quota_mb: number, workspace_quota_is_default = false) {
  const quotas = { ...none, workspace: quota_mb * megabyte };
  const app = await scriptedApp({ quotas, workspace_quota_is_default, roles: ['http', 'worker'] });
  const { server, name } = await app.provider();
  server.answers = () => ({ text: 'Read.' });
  const settings = { model: [`${name}/one`], max_retries_per_model: 0 };

  /** A message in a conversation of its own. */
  async function say(key: string, content: string) {
    const made = await app.call('POST', '/v1/conversations', { name: 'c', settings }, { key });
    assert.equal(made.status, 200, made.text);
    const sent = await app.call('POST', `/v1/conversations/${made.json.id}`, { content }, { key });
    return { id: made.json.id as string, status: sent.status, code: sent.json.code as string | undefined };
  }

  /** Sends messages until one is refused. */
  async function flood(key: string, bytes: number) {
    const sent = [];
    for (let count = 0; count < 40; count++) {
      sent.push(await say(key, noise(bytes)));
      if (sent.at(-1)?.status !== 200) break;
    }
    return sent;
  }

  const limitsOf = async (id: string, key = app.admin) =>
    (await app.call('GET', `/v1/admin/groups/${id}/limits`, undefined, { key })).json;

  /** Measures a workspace as the job does, and waits until it has. */
  async function measure(id: string) {
    await app.query(`update stored_bytes set measured_at = null, changed_at = now() where workspace_id = $1`, [id]);
    await app.query(`select graphile_worker.add_job('storage.measure', '{}')`);
    return until('a measurement', async () => {
      const { storage } = await limitsOf(id);
      return storage.measured_at === null ? undefined : storage;
    });
  }
  return { ...app, say, flood, limitsOf, measure };
}

/** Text that can't be compressed. */
const noise = (bytes: number) => randomBytes(Math.ceil(bytes / 2)).toString('hex');

const app = await serverWith(12);

test('refuses messages with 409 quota_reached when a flood of long ones reaches the quota of the workspace', async () => {
  const { id, key } = await app.workspace();
  const sent = await app.flood(key, 0.9 * megabyte);
  const last = sent.at(-1);
  assert.deepEqual([last?.status, last?.code], [409, 'quota_reached'], `${sent.length} were taken`);
  assert.ok(sent.length > 2, 'it has room for some');
  const { storage } = await app.measure(id).then(() => app.limitsOf(id));
  assert.ok(storage.used_bytes < 2 * storage.quota_bytes, JSON.stringify(storage));
  const other = await app.workspace();
  assert.equal((await app.say(other.key, 'Hello')).status, 200, 'another workspace is not affected');
});

test('takes messages again after conversations were deleted', async () => {
  const { id, key } = await app.workspace();
  const sent = await app.flood(key, 0.9 * megabyte);
  assert.equal(sent.at(-1)?.status, 409);
  for (const { id: conversation } of sent)
    assert.equal((await app.call('DELETE', `/v1/conversations/${conversation}`, undefined, { key })).status, 200);
  const { message_bytes } = await app.measure(id);
  assert.equal(message_bytes, 0);
  await until('room', async () => (await app.say(key, 'Hello')).status === 200);
});

test('tells the measuring job of deleted conversations', async () => {
  const idle = await testApp();
  const { id, key } = await idle.workspace();
  const made = await idle.call('POST', '/v1/conversations', { name: 'c' }, { key });
  assert.equal((await idle.call('DELETE', `/v1/conversations/${made.json.id}`, undefined, { key })).status, 200);
  assert.equal((await idle.query('select 1 from freed_bytes where workspace_id = $1', [id])).length, 1);
});

test('refuses rows and files when messages have used the quota up, and counts rows', async () => {
  const { id, key } = await app.workspace();
  const table = { name: 'notes', columns: [{ name: 'text', type: 'text' }] };
  const made = await app.call('POST', '/v1/tables', table, { key });
  assert.equal(made.status, 200, made.text);
  const rows = `/v1/tables/${made.json.id}/rows`;
  const insert = (bytes: number) => app.call('POST', rows, { text: noise(bytes) }, { key });
  for (let count = 0; count < 7; count++) assert.equal((await insert(megabyte)).status, 200);
  const { row_bytes } = await app.measure(id);
  assert.ok(row_bytes > 3 * megabyte, `${row_bytes}`);
  const sent = await app.flood(key, 0.9 * megabyte);
  assert.equal(sent.at(-1)?.status, 409);
  const refused = await insert(megabyte);
  assert.deepEqual([refused.status, refused.json.code], [409, 'quota_reached']);
  const content = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${noise(2 * megabyte)}\r\n--b--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const file = await app.call('POST', '/v1/files', content, { key, headers });
  assert.deepEqual([file.status, file.json.code], [409, 'quota_reached']);
});

test('shows the limits and the use of a workspace to its own readers alone, who can not raise them', async () => {
  const { id, key } = await app.workspace();
  const other = await app.workspace();
  const limits = await app.limitsOf(id, key);
  assert.deepEqual(
    [limits.storage.quota_bytes, limits.storage.quota_source, limits.storage.state],
    [12 * megabyte, 'server', 'ok'],
  );
  assert.equal((await app.call('GET', `/v1/admin/groups/${id}/limits`, undefined, { key: other.key })).status, 404);
  const raised = await app.call('PATCH', `/v1/admin/groups/${id}`, { file_quota_mb: 100 }, { key });
  assert.deepEqual([raised.status, raised.json.code], [403, 'forbidden']);
  await app.call('PATCH', `/v1/admin/groups/${id}`, { file_quota_mb: 1 });
  const lowered = (await app.limitsOf(id)).storage;
  assert.deepEqual([lowered.quota_bytes, lowered.quota_source], [megabyte, 'workspace']);
  assert.equal((await app.say(key, noise(1.1 * megabyte))).status, 409);
});

test('warns of a workspace that was over the default before, and locks one that reaches it', async () => {
  const server = await serverWith(2, true);
  const old = await server.workspace();
  // As the migration leaves a workspace that is there before the default is.
  await server.query('update stored_bytes set waived = true where workspace_id = $1', [old.id]);
  for (let count = 0; count < 4; count++) assert.equal((await server.say(old.key, noise(megabyte))).status, 200);
  const { state, quota_source } = await server.measure(old.id);
  assert.deepEqual([state, quota_source], ['over_default', 'default']);
  assert.equal((await server.say(old.key, noise(megabyte))).status, 200, 'warned, not locked');
  assert.ok(server.logged.some((line) => line.includes('storage.over_default') && line.includes(old.id)));

  const fresh = await server.workspace();
  assert.equal((await server.flood(fresh.key, megabyte)).at(-1)?.status, 409);
  const raise = await server.call('PATCH', `/v1/admin/groups/${fresh.id}`, { file_quota_mb: 50 });
  assert.equal(raise.status, 200, raise.text);
  assert.equal((await server.say(fresh.key, 'Hello')).status, 200, 'a quota of its own replaces the default');
  await server.call('PATCH', `/v1/admin/groups/${old.id}`, { file_quota_mb: 1 });
  assert.equal((await server.say(old.key, 'Hello')).status, 409, 'a quota that was set holds');
});
