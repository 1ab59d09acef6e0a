import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { channelApp, eventually, fakeService } from '../testing.ts';

const { call, deploy, query } = await channelApp();

/** The external program: it signs its requests and receives replies at its own address. */
async function program(settings: object = {}, ...replies: { text: string }[]) {
  const service = await fakeService();
  const config = { reply_url: `${service.url}/replies` };
  const deployed = await deploy({ channel: 'webhook', config }, settings, ...replies);
  const key = Buffer.from(deployed.secrets.signing_secret.slice('whsec_'.length), 'base64');
  const sign = (id: string, at: number, body: string) =>
    `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  let count = 0;
  const say = (message: object, { id = `msg-${++count}`, at = Math.floor(Date.now() / 1000), forge = '' } = {}) => {
    const body = JSON.stringify(message);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': forge || sign(id, at, body),
    };
    return deployed.post(body, headers);
  };
  const replied = () => service.heard.map(({ body }) => JSON.parse(body));
  const reply = (index: number) => eventually(() => replied()[index], `reply ${index}`);
  return { ...deployed, service, sign, say, reply, replied };
}

test('a thread of three messages is one conversation, and its replies come signed to the address of the program', async () => {
  const { say, reply, conversations, said, deployment, service, sign, get } = await program();
  const user = { id: 'u1', name: 'Kim' };
  for (const [index, text] of ['One', 'Two', 'Three'].entries()) {
    assert.deepEqual((await say({ thread: 'order-7', text, user })).json, { success: true });
    const told = await reply(index);
    assert.deepEqual([told.type, told.thread, told.text], ['message', 'order-7', `You said: ${text}`]);
  }
  assert.deepEqual(await said(), ['One', 'You said: One', 'Two', 'You said: Two', 'Three', 'You said: Three']);
  const [conversation, ...others] = await conversations();
  assert.equal(others.length, 0);
  assert.equal(conversation.chat_transport, 'webhook');
  assert.equal(conversation.deployment_id, deployment.id);
  assert.deepEqual(conversation.channel_ref, { thread: 'order-7', user });
  for (const { headers, body } of service.heard) {
    const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    assert.equal(headers['webhook-signature'], sign(id, at, body));
  }
  assert.ok((await get()).last_message_at);
});

test('answers writers with any characters in their name', async () => {
  const { say, reply } = await program();
  const user = { id: 'u\0 2', name: `Kim\0 ${'😀'.repeat(150)}` };
  assert.equal((await say({ thread: 'odd', text: 'Hello', user })).status, 200);
  assert.equal((await reply(0)).text, 'You said: Hello');
});

test('answers simultaneous messages one after another, in the order they arrived', async () => {
  const { say, reply, said } = await program();
  for (const text of ['a', 'b', 'c', 'd']) await say({ thread: 't', text });
  await reply(3);
  assert.deepEqual(
    await said(),
    ['a', 'b', 'c', 'd'].flatMap((text) => [text, `You said: ${text}`]),
  );
});

test('a message that is delivered again, with its own id or that of the request, is one message', async () => {
  const { say, reply, said, replied } = await program();
  for (let time = 0; time < 3; time++) assert.equal((await say({ thread: 't', text: 'Once', id: 'own' })).status, 200);
  for (let time = 0; time < 3; time++) await say({ thread: 't', text: 'Twice' }, { id: 'same' });
  await Promise.all([1, 2, 3].map(() => say({ thread: 't', text: 'At once' }, { id: 'at-once' })));
  await reply(2);
  assert.equal(replied().length, 3);
  assert.equal((await said()).length, 6);
});

test('files that come with a message are in the conversation', async () => {
  const { say, reply, conversations, model } = await program();
  const content = Buffer.from('The code is 4711.').toString('base64');
  await say({ thread: 't', text: 'Read this', files: [{ name: 'note.txt', content }] });
  await reply(0);
  const [{ messages }] = await conversations();
  assert.equal(messages[0].message_parts[0].files[0].name, 'note.txt');
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
});

test('a forged, unsigned, old or broken request is refused, and nothing comes of it', async () => {
  const { say, conversations, sign, post, deployment } = await program();
  const now = Math.floor(Date.now() / 1000);
  const message = { thread: 't', text: 'x' };
  const body = JSON.stringify(message);
  const attempts = [
    await say(message, { forge: `v1,${'A'.repeat(43)}=` }),
    await say(message, { forge: sign('other', now, body) }),
    await say({ ...message, text: 'y' }, { id: 'm', forge: sign('m', now, body) }),
    await say(message, { at: now - 400 }),
    await say(message, { at: now + 400 }),
    await post(body, {}),
  ];
  for (const { status, json } of attempts) assert.deepEqual([status, json.code], [401, 'bad_signature']);
  for (const wrong of [{ thread: 't' }, { text: 'x' }, { thread: 't', text: 'x', files: [{ name: 'a' }] }])
    assert.equal((await say(wrong)).status, 422);
  assert.equal((await call('POST', `/v1/channels/${deployment.id}/slack`, message, { key: null })).status, 404);
  assert.deepEqual(await conversations(), []);
  assert.deepEqual(await query('select 1 from channel_inbox where deployment_id = $1', [deployment.id]), []);
});

test('a reply that is not taken is sent again, with the same id, and the trouble is shown until it arrives', async () => {
  const { say, service, reply, get } = await program();
  service.answers(() => ({ status: 503, body: {} }));
  await say({ thread: 't', text: 'Hello' });
  await eventually(async () => ((await get()).last_error ? true : undefined));
  assert.match((await get()).last_error.message, /503/);
  service.answers(() => undefined);
  await reply(1);
  const ids = service.heard.map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1, 'a receiver could not tell that it is the same');
  await eventually(async () => ((await get()).last_error === null ? true : undefined));
});

test('replies are not sent to private addresses, unless the operator allows them', async () => {
  const { say, service, get, at, secrets } = await program();
  const { signing_secret } = secrets;
  const typed = { reply_url: 'http://10.0.0.1/hook', signing_secret };
  assert.equal((await call('PATCH', at, { config: typed })).status, 422);
  const config = { reply_url: 'http://replies.example/hook', signing_secret };
  const { json } = await call('PATCH', at, { config });
  const move =
    "update deployments set config = replace(config::text, 'replies.example', '10.0.0.1')::jsonb where id = $1";
  await query(move, [json.id]);
  await say({ thread: 't', text: 'Hello' });
  const { last_error } = await eventually(async () => {
    const now = await get();
    return now.last_error ? now : undefined;
  });
  assert.match(last_error.message, /private or reserved.*ATRIUM_WEB_ALLOW/);
  assert.equal(service.heard.length, 0);
});
