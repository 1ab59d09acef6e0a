import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call, workspace, query } = await testApp();

async function anAgent(definition: object = {}, key?: string) {
  const { json } = await call('POST', '/v1/agents', { name: 'Ada', definition }, key ? { key } : {});
  return { id: json.id as string, at: `/v1/agents/${json.id}/deployments` };
}

const slack = { signing_secret: 'a-signing-secret', bot_token: 'xoxb-a-token' };

test('a deployment is made, listed, read, changed and ended', async () => {
  const { at, id } = await anAgent();
  const made = await call('POST', at, {
    channel: 'slack',
    name: 'Ours',
    config: slack,
    custom_instructions: 'Be short.',
  });
  const { made_secrets, ...shown } = made.json;
  assert.deepEqual(made_secrets, {});
  assert.deepEqual([shown.agent_id, shown.channel, shown.enabled, shown.page_path], [id, 'slack', true, null]);
  assert.equal(shown.inbound_path, `/v1/channels/${shown.id}/slack`);
  assert.deepEqual(shown.config, {
    ...{ signing_secret: '********', bot_token: '********' },
    ...{ respond_to: 'all', trusted_senders: false, allow_remote_images: false, api_url: 'https://slack.com/api' },
  });
  assert.deepEqual((await call('GET', `${at}/${shown.id}`)).json, shown);
  assert.deepEqual((await call('GET', at)).json, { items: [shown], total: 1, page: 1, size: 50, pages: 1, next: null });
  const changed = await call('PATCH', `${at}/${shown.id}`, { name: 'Theirs', config: { respond_to: 'mentions' } });
  assert.deepEqual([changed.json.name, changed.json.config.respond_to], ['Theirs', 'mentions']);
  assert.equal(changed.json.config.bot_token, '********');
  assert.notEqual(changed.json.etag, shown.etag);
  const stale = await call('PATCH', `${at}/${shown.id}`, { name: 'x' }, { headers: { 'if-match': shown.etag } });
  assert.equal(stale.json.code, 'etag_mismatch');
  assert.deepEqual((await call('DELETE', `${at}/${shown.id}`)).json, { success: true });
  assert.equal((await call('GET', `${at}/${shown.id}`)).status, 404);
});

test('a channel takes its own settings and no others, and says which are missing', async () => {
  const { at } = await anAgent();
  const refused: [object, string[]][] = [
    [{ channel: 'slack' }, ['body.config.signing_secret missing', 'body.config.bot_token missing']],
    [{ channel: 'webhook', config: { bot_token: 'xoxb-a-token' } }, ['body.config.bot_token extra_forbidden']],
    [
      { channel: 'web', config: { allowed_origins: ['javascript:x'] } },
      ['body.config.allowed_origins.0 string_pattern_mismatch'],
    ],
    [
      { channel: 'web', config: { allowed_origins: ['https://a.example; script-src *'] } },
      ['body.config.allowed_origins.0 string_pattern_mismatch'],
    ],
    [{ channel: 'pigeon' }, ['body.channel literal_error']],
    [{ channel: 'web', config: { colour: 'red' } }, ['body.config.colour extra_forbidden']],
  ];
  for (const [body, validationErrors] of refused) {
    const { status, json, text } = await call('POST', at, body);
    assert.equal(status, 422, text);
    assert.deepEqual(
      json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`),
      validationErrors,
    );
    assert.ok(!text.includes('xoxb-a-token'));
  }
});

test('the address of a page and secrets of our making can be replaced; the old ones are good for nothing then', async () => {
  const { at } = await anAgent();
  const { json: web } = await call('POST', at, { channel: 'web' });
  assert.equal((await call('GET', web.page_path, undefined, { key: null })).status, 200);
  const { json: moved } = await call('POST', `${at}/${web.id}/rotate`);
  assert.notEqual(moved.page_path, web.page_path);
  assert.equal((await call('GET', web.page_path, undefined, { key: null })).status, 404);
  assert.equal((await call('GET', moved.page_path, undefined, { key: null })).status, 200);

  const { json: hook } = await call('POST', at, { channel: 'webhook' });
  const { json: rotated } = await call('POST', `${at}/${hook.id}/rotate`);
  const say = (secret: string, id: string) => {
    const [body, time] = ['{"thread":"t","text":"x"}', String(Math.floor(Date.now() / 1000))];
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
    return call('POST', hook.inbound_path, body, { key: null, headers });
  };
  assert.equal((await say(hook.made_secrets.signing_secret, 'a')).status, 401);
  assert.equal((await say(rotated.made_secrets.signing_secret, 'b')).status, 200);
  const { json: other } = await call('POST', at, { channel: 'slack', config: slack });
  assert.equal((await call('POST', `${at}/${other.id}/rotate`)).status, 409);
});

test('deployments go with their agent, and come back with it', async () => {
  const { at, id } = await anAgent();
  const { json } = await call('POST', at, { channel: 'web' });
  const page = async () => (await call('GET', json.page_path, undefined, { key: null })).status;
  const inbound = async () => (await call('POST', json.inbound_path, { token: 'x' }, { key: null })).status;
  assert.deepEqual([await page(), await inbound()], [200, 401]);
  await call('DELETE', `/v1/agents/${id}`);
  assert.deepEqual([await page(), await inbound(), (await call('GET', at)).status], [404, 404, 404]);
  await call('POST', `/v1/agents/${id}/restore`);
  assert.deepEqual([await page(), await inbound(), (await call('GET', at)).json.total], [200, 401, 1]);
  await call('PATCH', `${at}/${json.id}`, { enabled: false });
  assert.deepEqual([await page(), await inbound()], [404, 404]);
});

test('an agent whose prompt is locked is given no instructions by a deployment', async () => {
  const { key } = await workspace();
  const { at } = await anAgent({ prompt_lock: true }, key);
  const refused = await call('POST', at, { channel: 'web', custom_instructions: 'Forget all that.' }, { key });
  assert.deepEqual([refused.status, refused.json.code], [403, 'settings_locked']);
  const { json } = await call('POST', at, { channel: 'web' }, { key });
  assert.equal((await call('PATCH', `${at}/${json.id}`, { custom_instructions: 'x' }, { key })).status, 403);
});

test('limits a deployment to the run permissions of its creator, or of the last caller that changed its instructions', async () => {
  const maker = await workspace(['agents_edit', 'agents_run', 'kbs_query', 'users_edit']);
  const { at } = await anAgent({}, maker.key);
  const { json } = await call('POST', at, { channel: 'webhook' }, { key: maker.key });
  const permissions = async () =>
    (await query('select permissions from deployments where id = $1', [json.id]))[0].permissions;
  assert.deepEqual(await permissions(), ['agents_run', 'kbs_query']);
  // A new name does not change the permissions; new instructions do.
  const { json: me } = await call('GET', '/v1/admin/me', undefined, { key: maker.key });
  const other = { name: 'other', permissions: ['agents_edit', 'agents_run'] };
  const group = `/v1/admin/groups/${me.group_id}/api-keys`;
  const key = (await call('POST', group, other, { headers: { 'x-workspace-id': me.group_id } })).json.value;
  await call('PATCH', `${at}/${json.id}`, { name: 'Renamed' }, { key });
  assert.deepEqual(await permissions(), ['agents_run', 'kbs_query']);
  await call('PATCH', `${at}/${json.id}`, { custom_instructions: 'Tell all' }, { key });
  assert.deepEqual(await permissions(), ['agents_run']);
});
