import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { channelApp, eventually, fakeService, type Heard, makesFiles } from '../testing.ts';
import { isServiceHost, makeTeamsChannel } from './teams.ts';

const { call, deploy, query } = await channelApp();
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const issuer = 'https://api.botframework.com';

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function jwt(claims: object, key: KeyObject = privateKey, head: object = {}) {
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid: 'k1', ...head })}.${encoded(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

/** The Bot Framework as its documentation tells it: its keys, its tokens, and the service that carries replies. */
async function fakeTeams() {
  const sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  let tokens = 0;
  let refused = 0;
  const service = await fakeService((heard: Heard) => {
    const { path, headers, body, method } = heard;
    if (path === '/openid') return { body: { issuer, jwks_uri: `${service.url}/keys` } };
    if (path === '/keys')
      return {
        body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', endorsements: ['msteams'] }] },
      };
    if (path === '/token') {
      const form = new URLSearchParams(body);
      if (form.get('client_secret') !== 'teams-password') return { status: 401, body: { error: 'invalid_client' } };
      return { body: { token_type: 'Bearer', expires_in: 3599, access_token: `token-${++tokens}` } };
    }
    if (headers.authorization !== `Bearer token-${tokens}` || refused-- > 0) return { status: 401, body: {} };
    if (path.startsWith('/images/')) return { body: Buffer.from('The code is 4711.') };
    sent.push({ method, path, body: JSON.parse(body) });
    return { status: 201, body: { id: `r${sent.length}` } };
  });
  const config = {
    ...{ app_id: 'app-1', app_password: 'teams-password', issuer, service_hosts: [`127.0.0.1:${service.port}`] },
    ...{ openid_url: `${service.url}/openid`, token_url: `${service.url}/token` },
  };
  return {
    ...service,
    sent,
    config,
    tokens: () => tokens,
    refuseOnce: () => {
      refused = 1;
    },
  };
}

async function teamsApp(settings: object = {}, config: object = {}, ...replies: Reply[]) {
  const teams = await fakeTeams();
  const deployed = await deploy({ channel: 'teams', config: { ...teams.config, ...config } }, settings, ...replies);
  const now = () => Math.floor(Date.now() / 1000);
  const claims = (more: object = {}) => ({
    iss: issuer,
    aud: 'app-1',
    exp: now() + 600,
    nbf: now() - 10,
    serviceurl: teams.url,
    ...more,
  });
  const activity = (more: object = {}) => ({
    ...{ type: 'message', id: 'a1', channelId: 'msteams', serviceUrl: teams.url, text: '<at>Ada</at> Hello' },
    ...{ from: { id: '29:user', name: 'Kim' }, recipient: { id: '28:app-1', name: 'Ada' } },
    conversation: { id: '19:abc@thread.tacv2;messageid=1', conversationType: 'channel', tenantId: 'tenant' },
    channelData: { tenant: { id: 'tenant' }, team: { id: '19:team' }, channel: { id: '19:abc@thread.tacv2' } },
    entities: [{ type: 'mention', text: '<at>Ada</at>', mentioned: { id: '28:app-1', name: 'Ada' } }],
    ...more,
  });
  const post = (body: object, token: string | null = jwt(claims())) =>
    deployed.post(JSON.stringify(body), token === null ? {} : { authorization: `Bearer ${token}` });
  const reply = (index: number) => eventually(() => teams.sent[index], `reply ${index}`);
  return { ...deployed, teams, claims, activity, post, reply };
}

test('a thread of three messages is one conversation, answered where it was asked', async () => {
  const { post, activity, reply, said, conversations, teams } = await teamsApp();
  for (const [index, text] of ['One', 'Two', 'Three'].entries()) {
    const answer = await post(activity({ id: `a${index}`, text: `<at>Ada</at> ${text}` }));
    assert.deepEqual([answer.status, answer.json], [200, {}], answer.text);
    const { path, method, body } = await reply(index);
    assert.equal(
      path,
      `/v3/conversations/${encodeURIComponent('19:abc@thread.tacv2;messageid=1')}/activities/a${index}`,
    );
    assert.deepEqual(
      [method, body['text'], body['replyToId'], body['textFormat']],
      ['POST', `You said: ${text}`, `a${index}`, 'markdown'],
    );
    assert.deepEqual(
      [body['from'], body['recipient']],
      [
        { id: '28:app-1', name: 'Ada' },
        { id: '29:user', name: 'Kim' },
      ],
    );
  }
  assert.deepEqual(await said(), ['One', 'You said: One', 'Two', 'You said: Two', 'Three', 'You said: Three']);
  const [conversation, ...others] = await conversations();
  assert.deepEqual([others.length, conversation.chat_transport], [0, 'teams']);
  assert.equal(teams.tokens(), 1, 'the token was asked for more than once');
  assert.equal(teams.heard.filter(({ path }) => path === '/keys').length, 1);
});

test('an activity that is delivered again is one message', async () => {
  const { post, activity, reply, said } = await teamsApp();
  for (let time = 0; time < 3; time++) assert.equal((await post(activity())).status, 200);
  await reply(0);
  assert.deepEqual(await said(), ['Hello', 'You said: Hello']);
});

test('images are fetched with the token of the bot, shared files without it', async () => {
  const { post, activity, reply, model, conversations, teams } = await teamsApp();
  const image = { contentType: 'image/png', contentUrl: `${teams.url}/images/1`, name: 'note.txt' };
  const card = { contentType: 'text/html', content: '<p>Hello</p>' };
  await post(activity({ attachments: [image, card] }));
  await reply(0);
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
  const store = await fakeService(() => ({ body: Buffer.from('It is 4712 now.') }));
  const shared = {
    ...{ contentType: 'application/vnd.microsoft.teams.file.download.info', name: 'two.txt' },
    content: { downloadUrl: `${store.url}/two.txt?tempauth=x`, fileType: 'txt' },
  };
  await post(activity({ id: 'a2', attachments: [shared] }));
  await reply(1);
  assert.match(JSON.stringify(model.last().body), /It is 4712 now/);
  assert.equal(store.heard[0]?.headers.authorization, undefined);
  const [{ messages }] = await conversations();
  assert.equal(messages[2].message_parts[0].files[0].name, 'two.txt');
});

test('a request that the Bot Framework has not signed, for this bot and now, is refused', async () => {
  const { post, activity, claims, conversations, teams } = await teamsApp();
  const now = Math.floor(Date.now() / 1000);
  const [head, body] = jwt(claims()).split('.');
  const forgeries: (string | null)[] = [
    null,
    'x.y.z',
    jwt(claims(), stranger),
    jwt(claims({ aud: 'another-app' })),
    jwt(claims({ iss: 'https://evil.example' })),
    jwt(claims({ exp: now - 400 })),
    jwt(claims({ nbf: now + 400 })),
    jwt(claims({ serviceurl: 'https://evil.example' })),
    jwt(claims(), privateKey, { kid: 'k2' }),
    jwt(claims(), privateKey, { alg: 'none' }),
    jwt(claims(), privateKey, { alg: 'HS256' }),
    `${head}.${body}.`,
    `${head}.${encoded(claims({ aud: 'app-1', exp: now + 9999 }))}.${jwt(claims()).split('.')[2]}`,
  ];
  for (const token of forgeries)
    assert.equal((await post(activity(), token)).json.code, 'bad_signature', String(token));
  // Signed, but from a channel that the key does not stand for, or to be answered elsewhere.
  assert.equal((await post(activity({ channelId: 'webchat' }))).status, 401);
  const elsewhere = 'https://evil.example/';
  assert.equal((await post(activity({ serviceUrl: elsewhere }), jwt(claims({ serviceurl: elsewhere })))).status, 401);
  assert.deepEqual(await conversations(), []);
  assert.ok(teams.heard.filter(({ path }) => path === '/keys').length <= 2, 'unknown keys had us ask each time');
});

test('a token that was taken back is asked for again', async () => {
  const { post, activity, reply, teams } = await teamsApp();
  await post(activity());
  await reply(0);
  teams.refuseOnce();
  await post(activity({ id: 'a2' }));
  await reply(1);
  assert.equal(teams.tokens(), 2);
});

test('the answer takes the place of transport_thinking_text', async () => {
  const { post, activity, reply } = await teamsApp({ transport_thinking_text: 'One moment' }, {}, { text: 'Done' });
  await post(activity());
  assert.equal((await reply(0)).body['text'], 'One moment');
  const { method, path, body } = await reply(1);
  assert.deepEqual([method, path.endsWith('/activities/r1'), body['text']], ['PUT', true, 'Done']);
});

test('ignores a message that does not address the agent when respond_to is mentions', async () => {
  const { post, activity, reply, conversations, deployment } = await teamsApp({}, { respond_to: 'mentions' });
  const unaddressed = {
    text: 'lunch?',
    entities: [],
    conversation: { id: '19:other;messageid=9', conversationType: 'channel' },
  };
  await post(activity({ id: 'b1', ...unaddressed }));
  await eventually(async () => {
    const [row] = await query('select status from channel_inbox where deployment_id = $1', [deployment.id]);
    return row?.status === 'ignored' || undefined;
  });
  const personal = { text: 'Hello', entities: [], conversation: { id: 'a:1', conversationType: 'personal' } };
  await post(activity({ id: 'b2', ...personal }));
  await reply(0);
  assert.equal((await conversations()).length, 1);
});

test('the password of the bot is sent to no other address', async () => {
  const { at } = await teamsApp();
  assert.equal((await call('PATCH', at, { config: { token_url: 'https://evil.example/token' } })).status, 422);
  assert.equal((await call('PATCH', at, { config: { service_hosts: ['*.evil.example'] } })).status, 422);
});

test('replies go to hosts that are listed, and in plain only where the port is', () => {
  const hosts = ['smba.trafficmanager.net', '*.botframework.com', '127.0.0.1:99'];
  const may = ['https://smba.trafficmanager.net/emea/', 'https://x.botframework.com', 'http://127.0.0.1:99/x'];
  const mayNot = [
    'http://smba.trafficmanager.net/',
    'https://botframework.com.evil.example',
    'https://evilbotframework.com',
    'https://evil.example',
    'http://127.0.0.1:98',
    'x',
  ];
  for (const url of may) assert.ok(isServiceHost(url, hosts), url);
  for (const url of mayNot) assert.ok(!isServiceHost(url, hosts), url);
});

test('pictures that the agent made stand in its reply; other files are named', async () => {
  const note = { filename: 'note', format: 'text', content: 'The code is 4711.' };
  const { post, activity, reply } = await teamsApp(makesFiles.settings, {}, ...makesFiles.replies(note));
  await post(activity());
  const { body } = await reply(0);
  const named = 'Here it is\n\n_File: note.txt (it can not be sent here)_';
  assert.deepEqual([body['text'], body['attachments']], [named, undefined]);
  const heard: string[] = [];
  const web: Web = {
    fetch: async (url, request) => {
      heard.push(String(request?.body));
      const answer = JSON.stringify({ access_token: 'x', expires_in: 3600, id: 'r1' });
      return { status: 200, headers: {}, url, body: Readable.from([answer]) };
    },
  };
  const config = { service_hosts: ['127.0.0.1:9'], app_id: 'a', token_url: 'http://127.0.0.1:9/token' };
  const deployment = { id: 'd', config, secrets: { app_password: 'p' } } as unknown as LiveDeployment;
  const file = { id: 'f', name: 'heron.png', type: 'image/png', size: 3, bytes: Buffer.from('png') };
  const ref = { service_url: 'http://127.0.0.1:9', conversation: 'c', activity_id: 'a1' };
  const outgoing = { id: '1-0', text: 'Here', kind: 'message' as const, conversation_id: 'c', placeholder: null };
  const keep = async () => {};
  await makeTeamsChannel(web).send(deployment, { ...outgoing, ref, again: false, files: [file], kept: null, keep });
  assert.deepEqual(JSON.parse(heard[1] ?? '').attachments, [
    { name: 'heron.png', contentType: 'image/png', contentUrl: 'data:image/png;base64,cG5n' },
  ]);
});
