import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const megabyte = 1024 * 1024;
const none = { visitor: 0, page: 0, workspace: 0, organization: 0 };
const app = await scriptedApp({
  ...{ quotas: { ...none, workspace: 20 * megabyte }, workspace_quota_is_default: false, roles: ['http', 'worker'] },
});
const { server, name } = await app.provider();
server.answers = () => ({ text: 'Read.' });
const settings = { model: [`${name}/one`], max_retries_per_model: 0 };

/** Text that can't be compressed. */
const noise = (bytes: number) => randomBytes(Math.ceil(bytes / 2)).toString('hex');

async function say(key: string, content: string) {
  const made = await app.call('POST', '/v1/conversations', { name: 'c', settings }, { key });
  assert.equal(made.status, 200, made.text);
  const sent = await app.call('POST', `/v1/conversations/${made.json.id}`, { content }, { key });
  return { id: made.json.id as string, status: sent.status, code: sent.json.code as string | undefined };
}

/** Sends messages until one is refused. */
async function flood(key: string) {
  const sent = [];
  for (let count = 0; count < 40; count++) {
    sent.push(await say(key, noise(0.9 * megabyte)));
    if (sent.at(-1)?.status !== 200) break;
  }
  return sent;
}

test('refuses messages with 409 quota_reached when a flood of long ones reaches the quota of the workspace', async () => {
  const { key } = await app.workspace();
  const sent = await flood(key);
  const last = sent.at(-1);
  assert.deepEqual([last?.status, last?.code], [409, 'quota_reached'], `${sent.length} were taken`);
  assert.ok(sent.length > 2, 'it has room for some');
  const other = await app.workspace();
  assert.equal((await say(other.key, 'Hello')).status, 200, 'another workspace is not affected');
});
