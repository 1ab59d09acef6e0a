import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { channelApp, eventually, fakeService, makesFiles } from '../testing.ts';
import { botToken, fakeSlack, signingSecret, slackEvent, slackHeaders } from './testing.ts';

const { call, deploy, query, logged } = await channelApp();

async function slackApp(settings: object = {}, config: object = {}, ...replies: Reply[]) {
  const slack = await fakeSlack();
  const deployment = { ...slack.deployment, config: { ...slack.deployment.config, ...config } };
  const deployed = await deploy(deployment, settings, ...replies);
  const send = (delivery: object, headers?: Record<string, string>) => {
    const body = JSON.stringify(delivery);
    return deployed.post(body, headers ?? slackHeaders(body));
  };
  const posted = (index: number) => eventually(() => slack.posted[index], `message ${index}`);
  /** Waits until the messages that have arrived are handled. */
  const quiet = () =>
    eventually(async () => {
      const open = await query(
        `select 1 from channel_inbox where deployment_id = $1 and status = 'pending'
         union all select 1 from channel_outbox where deployment_id = $1 and status = 'pending'
         union all select 1 from runs r join conversations c on c.id = r.conversation_id
           where c.deployment_id = $1 and r.finished_at is null`,
        [deployed.deployment.id],
      );
      return open.length === 0 || undefined;
    }, 'silence');
  return { ...deployed, slack, send, posted, quiet };
}

test('a thread of three messages is one conversation, answered in the thread', async () => {
  const { send, posted, said, conversations, slack } = await slackApp();
  await send(slackEvent({ type: 'app_mention', ts: '1.0001', text: '<@UBOT> One' }));
  assert.deepEqual(((await posted(0)) as object) && slack.posted[0]?.text, 'You said: One');
  await send(slackEvent({ ts: '1.0002', thread_ts: '1.0001', text: 'Two' }));
  await posted(1);
  await send(slackEvent({ ts: '1.0003', thread_ts: '1.0001', user: 'U2', text: 'Three' }));
  await posted(2);
  assert.deepEqual(await said(), ['One', 'You said: One', 'Two', 'You said: Two', 'Three', 'You said: Three']);
  for (const { channel, thread_ts } of slack.posted) assert.deepEqual([channel, thread_ts], ['C1', '1.0001']);
  const [conversation, ...others] = await conversations();
  assert.equal(others.length, 0);
  assert.equal(conversation.chat_transport, 'slack');
  assert.deepEqual(conversation.channel_ref, { team_id: 'T1', channel: 'C1', user: 'U1', thread_ts: '1.0001' });
});

test('answers the challenge of Slack only when the request is signed', async () => {
  const { send } = await slackApp();
  const asked = { type: 'url_verification', token: 'x', challenge: '3eZbrw1aB' };
  assert.deepEqual((await send(asked)).json, { challenge: '3eZbrw1aB' });
  assert.equal((await send(asked, {})).status, 401);
});

test('takes a repeated delivery, and a mention that is delivered twice, as one message', async () => {
  const { send, posted, quiet, said, slack } = await slackApp();
  const delivery = slackEvent({ type: 'app_mention', ts: '2.0001', text: '<@UBOT> Once' });
  await send(delivery);
  const again = {
    ...slackHeaders(JSON.stringify(delivery)),
    'x-slack-retry-num': '1',
    'x-slack-retry-reason': 'http_timeout',
  };
  assert.equal((await send(delivery, again)).status, 200);
  await send(slackEvent({ type: 'message', ts: '2.0001', text: '<@UBOT> Once' }));
  await posted(0);
  await quiet();
  assert.deepEqual([slack.posted.length, await said()], [1, ['Once', 'You said: Once']]);
});

test('ignores its own messages, those of other bots, and events that are no messages', async () => {
  const { send, conversations, quiet } = await slackApp();
  const ignored = [
    { user: 'UBOT', ts: '3.1', text: 'mine' },
    { bot_id: 'B1', ts: '3.2', text: 'a bot' },
    { subtype: 'message_changed', ts: '3.3', text: 'edited' },
    { subtype: 'channel_join', ts: '3.4', text: 'joined' },
    { type: 'reaction_added', ts: '3.5' },
    { ts: '3.6', text: '' },
  ];
  for (const event of ignored) assert.equal((await send(slackEvent(event))).status, 200);
  await quiet();
  assert.deepEqual(await conversations(), []);
});

test('a file is fetched with the token of the app, and only from Slack', async () => {
  const { send, posted, conversations, slack, model } = await slackApp();
  const file = { id: 'F1', name: 'note.txt', mimetype: 'text/plain', url_private: `${slack.url}/files/note.txt` };
  await send(slackEvent({ subtype: 'file_share', ts: '4.1', text: 'Read this', files: [file] }));
  await posted(0);
  const [{ messages }] = await conversations();
  assert.equal(messages[0].message_parts[0].files[0].name, 'note.txt');
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
  const elsewhere = { ...file, url_private: slack.url.replace('127.0.0.1', 'localhost') };
  const before = slack.heard.length;
  await send(slackEvent({ subtype: 'file_share', ts: '4.2', text: 'And this', files: [elsewhere] }));
  await posted(1);
  assert.match(JSON.stringify(model.last().body), /The file note.txt could not be fetched/);
  assert.equal(slack.heard.slice(before).filter(({ path }) => !path.startsWith('/api/')).length, 0);
});

test('a forged, unsigned or old delivery is refused', async () => {
  const { send, conversations } = await slackApp();
  const delivery = slackEvent({ ts: '5.1', text: 'Hello' });
  const body = JSON.stringify(delivery);
  // Both by one look at the clock: a second later the time that is forged would be the one that was signed.
  const now = Math.floor(Date.now() / 1000);
  const good = slackHeaders(body, now);
  const forgeries: Record<string, string>[] = [
    {},
    { ...good, 'x-slack-signature': `v0=${'0'.repeat(64)}` },
    { ...good, 'x-slack-request-timestamp': String(now - 1) },
    slackHeaders(body, now - 400),
    slackHeaders(`${body} `),
  ];
  for (const headers of forgeries) assert.deepEqual([(await send(delivery, headers)).status], [401]);
  assert.deepEqual(await conversations(), []);
});

test('sends a long answer in several messages, with Markdown as Slack writes it', async () => {
  const paragraph = `**Bold** and [a link](https://example.com/?a=1&b=2) < 5. ${'word '.repeat(150)}`.trim();
  const text = Array.from({ length: 8 }, () => paragraph).join('\n\n');
  const { send, quiet, slack } = await slackApp({}, {}, { text });
  await send(slackEvent({ ts: '6.1', text: 'Tell me' }));
  await quiet();
  assert.ok(slack.posted.length >= 2, `${slack.posted.length} messages`);
  for (const one of slack.posted) {
    assert.ok(one.text.length <= 4000);
    assert.match(one.text, /\*Bold\* and <https:\/\/example\.com\/\?a=1&amp;b=2\|a link> &lt; 5\./);
  }
  const words = slack.posted
    .map((one) => one.text)
    .join(' ')
    .match(/word/g);
  assert.equal(words?.length, 8 * 150);
});

test('transport_thinking_text is posted at once, and the answer takes its place', async () => {
  const { send, posted, quiet, slack, model } = await slackApp(
    { transport_thinking_text: 'One moment' },
    {},
    { text: 'Done' },
  );
  const told: [method: string, text: string, asked: number][] = [];
  slack.answers((heard) => {
    told.push([heard.path, JSON.parse(heard.body).text, model.requests.length]);
    return slack.usual(heard);
  });
  await send(slackEvent({ ts: '7.1', text: 'Hello' }));
  await posted(0);
  await quiet();
  // Before the model is asked, for however quick that is, its answer comes second.
  assert.deepEqual(told, [
    ['/api/chat.postMessage', 'One moment', 0],
    ['/api/chat.update', 'Done', 1],
  ]);
  assert.deepEqual(
    slack.posted.map(({ text }) => text),
    ['Done'],
  );
});

test('a message that may have been posted before the answer was lost is looked for, not posted twice', async () => {
  const { send, slack, quiet } = await slackApp();
  let lost = 0;
  slack.answers((heard) => {
    const answer = slack.usual(heard);
    return heard.path.endsWith('postMessage') && lost++ === 0 ? { status: 502, body: {} } : answer;
  });
  await send(slackEvent({ ts: '8.1', text: 'Hello' }));
  await eventually(() => slack.heard.find(({ path }) => path.endsWith('conversations.replies')));
  await quiet();
  assert.deepEqual(
    slack.posted.map(({ text }) => text),
    ['You said: Hello'],
  );
});

test('a rate limit is waited for, as long as Slack says', async () => {
  const { send, slack, posted } = await slackApp();
  let asked = 0;
  slack.answers((heard) =>
    asked++ === 0
      ? { status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } }
      : slack.usual(heard),
  );
  const began = Date.now();
  await send(slackEvent({ ts: '9.1', text: 'Hello' }));
  await posted(0);
  assert.ok(Date.now() - began >= 900, 'it did not wait');
});

test('with respond_to mentions the agent hears mentions, direct messages and threads that it is in', async () => {
  const { send, quiet, said, conversations, slack } = await slackApp({}, { respond_to: 'mentions' });
  await send(slackEvent({ ts: '10.1', text: 'to nobody' }));
  await send(slackEvent({ ts: '10.2', text: 'Hey <@UBOT>, here' }));
  await quiet();
  await send(slackEvent({ ts: '10.3', thread_ts: '10.2', text: 'and on' }));
  await quiet();
  assert.deepEqual(await said(), ['Hey @UBOT, here', 'You said: Hey @UBOT, here', 'and on', 'You said: and on']);
  for (const ts of ['10.4', '10.5']) await send(slackEvent({ channel: 'D1', channel_type: 'im', ts, text: ts }));
  await quiet();
  assert.equal((await conversations()).length, 2);
  assert.deepEqual(await said(1), ['10.4', 'You said: 10.4', '10.5', 'You said: 10.5']);
  assert.ok(slack.posted.filter(({ channel }) => channel === 'D1').every(({ thread_ts }) => thread_ts === undefined));
});

test("an agent's triggers choose by team, channel and keyword what reaches it; a thread that it is in it hears whole", async () => {
  const { send, quiet, said, conversations, agent } = await slackApp();
  const trigger = { team_id: 'T1', channel: 'C1', keyword: 'help' };
  assert.equal((await call('POST', `/v1/agents/${agent.id}/triggers/slack`, trigger)).status, 200);
  await send(slackEvent({ ts: '11.1', text: 'lunch?' }));
  await send(slackEvent({ ts: '11.2', channel: 'C2', text: 'help' }));
  await send(slackEvent({ ts: '11.3', text: 'I need HELP' }));
  await quiet();
  await send(slackEvent({ ts: '11.4', thread_ts: '11.3', text: 'please' }));
  await quiet();
  assert.equal((await conversations()).length, 1);
  assert.deepEqual(await said(), ['I need HELP', 'You said: I need HELP', 'please', 'You said: please']);
});

test('secrets of a deployment are never answered or logged', async () => {
  const { get, at, send, posted } = await slackApp();
  const shown = await get();
  assert.deepEqual([shown.config.signing_secret, shown.config.bot_token], ['********', '********']);
  const moved = await call('PATCH', at, { config: { api_url: 'https://elsewhere.example' } });
  assert.equal(moved.status, 422, 'a token could be had by moving the deployment');
  assert.equal((await call('PATCH', at, { config: { ...shown.config, respond_to: 'mentions' } })).status, 200);
  // The masks that were sent back kept the secrets: one checks this message, the other one posts the reply.
  await send(slackEvent({ type: 'app_mention', ts: '12.1', text: '<@UBOT> Still there?' }));
  assert.equal((await posted(0))?.text, 'You said: Still there?');
  const stored = JSON.stringify(await query('select * from deployments'));
  for (const text of [stored, logged.join('\n')])
    for (const secret of [signingSecret, botToken]) assert.ok(!text.includes(secret));
});

test('treats messages of a channel as untrusted by the egress rule, unless trusted_senders says otherwise', async () => {
  const desk = await fakeService();
  const actions = [{ name: 'open', description: 'Opens a ticket', method: 'POST', url: `${desk.url}/tickets` }];
  const calls = (name: string, input: object) => ({ tool_calls: [{ name, input }] });
  const steps = [
    calls('filesystem_write', { path: 'a.txt', content: '4711' }),
    calls('filesystem_read', { path: 'a.txt' }),
    calls('action_open', {}),
  ];
  const strange = await slackApp({ actions }, {}, ...steps);
  await strange.send(slackEvent({ type: 'app_mention', ts: '90.0001', text: '<@UBOT> Open one' }));
  await eventually(async () => (await strange.conversations())[0]?.status === 'awaiting_human_feedback' || undefined);
  assert.equal(desk.heard.length, 0);
  const known = await slackApp({ actions }, { trusted_senders: true }, ...steps, { text: 'Opened.' });
  await known.send(slackEvent({ type: 'app_mention', ts: '91.0001', text: '<@UBOT> Open one' }));
  await known.posted(0);
  assert.equal(desk.heard.length, 1);
});

test('attaches files of the agent in the thread; names them when the app may not upload', async () => {
  const made = (filename: string) => ({ filename, format: 'text', content: `In ${filename}` });
  const replies = makesFiles.replies(made('one'), made('two'));
  const { send, quiet, posted, slack } = await slackApp(makesFiles.settings, {}, ...replies, ...replies);
  await send(slackEvent({ type: 'app_mention', ts: '9.1', text: '<@UBOT> Two files' }));
  await posted(0);
  await quiet();
  const place = { channel: 'C1', thread_ts: '9.1' };
  assert.deepEqual(slack.files, [
    { name: 'one.txt', bytes: 'In one', ...place },
    { name: 'two.txt', bytes: 'In two', ...place },
  ]);
  assert.deepEqual(
    slack.posted.map(({ text }) => text),
    ['Here it is'],
  );
  slack.answers((heard) =>
    heard.path.includes('getUploadURL') ? { body: { ok: false, error: 'missing_scope' } } : slack.usual(heard),
  );
  await send(slackEvent({ ts: '9.2', thread_ts: '9.1', text: 'Again' }));
  await posted(2);
  await quiet();
  assert.match(
    slack.posted[2]?.text ?? '',
    /one\.txt, two\.txt: Slack does not let me attach files here \(missing_scope\)/,
  );
  assert.equal(slack.posted.length, 3);
});

test('files that may have been attached before the answer was lost are asked about, and neither brought nor shown twice', async () => {
  const made = (filename: string) => ({ filename, format: 'text', content: `In ${filename}` });
  const replies = makesFiles.replies(made('one'), made('two'));
  /** It has done the request or not, and the answer is lost; or it has dropped the uploaded file. */
  const lost = async (...outcomes: ('done' | 'nothing' | 'gone')[]) => {
    const { send, quiet, slack } = await slackApp(makesFiles.settings, {}, ...replies);
    const left = [...outcomes];
    slack.answers((heard) => {
      const outcome = heard.path.endsWith('completeUploadExternal') ? left.shift() : undefined;
      if (outcome === undefined) return slack.usual(heard);
      if (outcome === 'gone') return { body: { ok: false, error: 'file_not_found' } };
      if (outcome === 'done') slack.usual(heard);
      return { status: 502, body: {} };
    });
    await send(slackEvent({ type: 'app_mention', ts: '9.1', text: '<@UBOT> Two files' }));
    await eventually(() => slack.heard.find(({ path }) => path.endsWith('files.info')));
    await quiet();
    assert.deepEqual(
      slack.files.map(({ name }) => name),
      ['one.txt', 'two.txt'],
    );
    const times = (path: string) => slack.heard.filter((heard) => heard.path.startsWith(path)).length;
    assert.deepEqual(
      [times('/upload/'), times('/api/files.complete'), times('/api/conversations.replies')],
      [outcomes.includes('gone') ? 4 : 2, outcomes.includes('done') ? 1 : outcomes.length + 1, 0],
    );
    assert.deepEqual(
      slack.posted.map(({ text }) => text),
      ['Here it is'],
    );
  };
  await Promise.all([lost('done'), lost('nothing'), lost('nothing', 'gone')]);
});
