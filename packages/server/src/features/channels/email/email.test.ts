import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { channelApp, eventually, makesFiles } from '../testing.ts';
import { htmlToText, stripQuotedText } from './mail-text.ts';

const { call, deploy, query } = await channelApp();

/** A mail server that accepts every mail from a client with the password. */
async function mailServer({ refuse }: { refuse?: (count: number) => number | undefined } = {}) {
  const mails: Email[] = [];
  let count = 0;
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'ada' && password === 'mail-password'
        ? done(null, { user: username })
        : done(Object.assign(new Error('no'), { responseCode: 535 })),
    async onData(stream, _, done) {
      const bytes = await buffer(stream);
      const code = refuse?.(++count);
      if (code) return done(Object.assign(new Error('not now'), { responseCode: code }));
      mails.push(await PostalMime.parse(bytes));
      done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => new Promise<void>((closed) => server.close(() => closed())));
  return { mails, port: (server.server.address() as AddressInfo).port };
}

async function mailbox(
  config: object = {},
  options: Parameters<typeof mailServer>[0] = {},
  settings: object = {},
  ...replies: Reply[]
) {
  const { mails, port } = await mailServer(options);
  const smtp = {
    smtp_host: '127.0.0.1',
    smtp_port: port,
    smtp_tls: 'none',
    smtp_username: 'ada',
    smtp_password: 'mail-password',
  };
  const address = { address: 'ada@shop.example', from_name: 'Ada' };
  const deployed = await deploy({ channel: 'email', config: { ...address, ...smtp, ...config } }, settings, ...replies);
  const headers = { 'x-webhook-secret': deployed.secrets.inbound_secret };
  const deliver = (body: string | object, more: Record<string, string> = headers) =>
    typeof body === 'string'
      ? deployed.post(body, { 'content-type': 'message/rfc822', ...more })
      : deployed.post(JSON.stringify(body), more);
  const mail = (index: number) => eventually(() => mails[index], `mail ${index}`);
  const quiet = () =>
    eventually(async () => {
      const rows = await query(`select 1 from channel_inbox where deployment_id = $1 and status = 'pending'`, [
        deployed.deployment.id,
      ]);
      return rows.length === 0 || undefined;
    });
  return { ...deployed, mails, deliver, mail, quiet };
}

const mime = (headers: Record<string, string>, text = 'Where is my order?') =>
  [
    ...Object.entries({
      From: 'Kim Berg <kim@customer.example>',
      To: 'ada@shop.example',
      Subject: 'Order 7',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    ...['', text, ''],
  ].join('\r\n');

test('refuses a sender of two addresses in one, even if one of them may write', async () => {
  const { deliver, quiet, conversations } = await mailbox({ allowed_senders: ['customer.example'] });
  for (const from of ['<eve@evil.example,kim@customer.example>', '<eve@evil.example;kim@customer.example>'])
    assert.equal((await deliver({ from, subject: 'Hi', text: 'Hello' })).status, 200);
  await quiet();
  assert.deepEqual(await conversations(), []);
});

test('a thread of three mails is one conversation, and each reply stands in the thread', async () => {
  const { deliver, mail, said, conversations } = await mailbox();
  await deliver(mime({ 'Message-ID': '<a@customer.example>' }));
  const first = await mail(0);
  assert.equal(first.text?.trim(), 'You said: Subject: Order 7\n\nWhere is my order?');
  assert.deepEqual([first.subject, first.inReplyTo], ['Re: Order 7', '<a@customer.example>']);
  assert.deepEqual(
    [first.from?.address, first.from?.name, first.to?.[0]?.address],
    ['ada@shop.example', 'Ada', 'kim@customer.example'],
  );
  const header = (found: Email, name: string) => found.headers.find(({ key }) => key === name)?.value;
  assert.deepEqual(
    [header(first, 'auto-submitted'), header(first, 'x-auto-response-suppress')],
    ['auto-replied', 'All'],
  );
  const quoted = `And now?\r\n\r\nOn Mon, 1 Jan 2026 at 10:00, Ada <ada@shop.example> wrote:\r\n> You said`;
  await deliver(
    mime(
      {
        'Message-ID': '<b@customer.example>',
        'In-Reply-To': first.messageId ?? '',
        References: `<a@customer.example> ${first.messageId}`,
        Subject: 'Re: Order 7',
      },
      quoted,
    ),
  );
  const second = await mail(1);
  assert.equal(second.text?.trim(), 'You said: And now?');
  assert.equal(second.references, `<a@customer.example> ${first.messageId} <b@customer.example>`);
  // Some programs tell only which mail they answer.
  await deliver(
    mime(
      { 'Message-ID': '<c@customer.example>', 'In-Reply-To': second.messageId ?? '', Subject: 'RE: Order 7' },
      'Thanks',
    ),
  );
  await mail(2);
  assert.equal((await conversations()).length, 1);
  assert.deepEqual(
    (await said()).filter((_, index) => index % 2 === 0),
    ['Subject: Order 7\n\nWhere is my order?', 'And now?', 'Thanks'],
  );
  assert.equal((await conversations())[0].channel_ref.address, 'kim@customer.example');
});

test('a mail that its service delivers again is one message', async () => {
  const { deliver, mail, quiet, mails, said } = await mailbox();
  const one = mime({ 'Message-ID': '<again@customer.example>' });
  for (let time = 0; time < 3; time++) assert.equal((await deliver(one)).status, 200);
  await mail(0);
  await quiet();
  assert.deepEqual([mails.length, (await said()).length], [1, 2]);
});

test('attachments reach the agent, of a mail as it is and of one as JSON', async () => {
  const { deliver, mail, model, conversations } = await mailbox();
  const content = Buffer.from('The code is 4711.').toString('base64');
  const boundary = 'b1';
  const body = [
    ...[`--${boundary}`, 'Content-Type: text/plain', '', 'Read this', `--${boundary}`],
    ...['Content-Type: text/plain; name="note.txt"', 'Content-Disposition: attachment; filename="note.txt"'],
    ...['Content-Transfer-Encoding: base64', '', content, `--${boundary}--`],
  ].join('\r\n');
  await deliver(
    mime(
      {
        'Message-ID': '<f1@x.example>',
        'MIME-Version': '1.0',
        'Content-Type': `multipart/mixed; boundary=${boundary}`,
      },
      body,
    ),
  );
  await mail(0);
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
  const [{ messages }] = await conversations();
  assert.equal(messages[0].message_parts[0].files[0].name, 'note.txt');
  // As mail services write it.
  await deliver({
    ...{ From: 'Lee <lee@customer.example>', Subject: 'Hi', TextBody: 'See file', MessageID: 'own-id' },
    Headers: [{ Name: 'Message-ID', Value: '<f2@x.example>' }],
    Attachments: [
      { Name: 'two.txt', Content: Buffer.from('It is 4712 now.').toString('base64'), ContentType: 'text/plain' },
    ],
  });
  assert.equal((await mail(1)).inReplyTo, '<f2@x.example>');
  assert.match(JSON.stringify(model.last().body), /It is 4712 now/);
});

test('does not answer mail of programs, nor its own mail', async () => {
  const { deliver, quiet, conversations } = await mailbox();
  const automatic: Record<string, string>[] = [
    { 'Auto-Submitted': 'auto-replied' },
    { 'Auto-Submitted': 'auto-generated' },
    { Precedence: 'bulk' },
    { 'List-Id': '<news.example>' },
    { 'Return-Path': '<>' },
    { From: 'MAILER-DAEMON@mx.example' },
    { From: 'ada@shop.example' },
    { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x' },
  ];
  for (const [index, headers] of automatic.entries())
    assert.equal((await deliver(mime({ 'Message-ID': `<auto${index}@x.example>`, ...headers }))).status, 200);
  await quiet();
  assert.deepEqual(await conversations(), []);
  await deliver(mime({ 'Message-ID': '<human@x.example>', 'Auto-Submitted': 'no' }));
  await eventually(async () => ((await conversations()).length === 1 ? true : undefined));
});

test('a mail service that hands on no headers starts no loop: subjects of programs, our own mail, one who never stops', async () => {
  const { deliver, mail, mails, quiet, conversations } = await mailbox({ max_sender_messages_per_hour: 3 });
  const from = 'Kim <kim@customer.example>';
  for (const subject of [
    'Automatic reply: Order 7',
    'Out of Office Re: Order 7',
    'Undeliverable: Order',
    'Réponse automatique : x',
  ])
    await deliver({ from, subject, text: 'I am away.' });
  await quiet();
  assert.deepEqual(await conversations(), []);
  await deliver({ from, subject: 'Automatic doors', text: 'Do you sell them?', message_id: '<1@x.example>' });
  const { messageId = '', text = '' } = await mail(0);
  // Handed on by a list that writes itself into the sender, it comes back with our own id.
  await deliver({ from: 'team@customer.example', subject: 'Re: Automatic doors', text, message_id: messageId });
  for (let n = 2; n < 9; n++)
    await deliver({ from, subject: 'Re: Automatic doors', text: `Thank you ${n}`, message_id: `<${n}@x.example>` });
  await quiet();
  await mail(2);
  assert.deepEqual([mails.length, (await conversations()).length], [3, 3]);
  await deliver({ from: 'ben@customer.example', subject: 'Hi', text: 'Hello', message_id: '<ben@x.example>' });
  assert.equal((await mail(3)).to?.[0]?.address, 'ben@customer.example');
});

test('a mail that its service delivers as a form is read like any other, with headers, files and its thread', async () => {
  const { post, secrets, mail, said, model, conversations } = await mailbox();
  const send = async (form: FormData) => {
    const request = new Request('http://x', { method: 'POST', body: form });
    const headers = {
      'content-type': request.headers.get('content-type') ?? '',
      'x-webhook-secret': secrets.inbound_secret,
    };
    assert.equal((await post(Buffer.from(await request.arrayBuffer()), headers)).status, 200);
  };
  const form = (fields: Record<string, string>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries({ from: 'Kim <kim@customer.example>', subject: 'Order 7', ...fields }))
      made.append(name, value);
    return made;
  };
  const headers = (...pairs: [string, string][]) => ({ 'message-headers': JSON.stringify(pairs) });
  const first = form({
    'body-plain': 'See the list',
    'attachment-count': '1',
    ...headers(['Message-Id', '<f1@x.example>']),
  });
  first.append('attachment-1', new File(['The code is 4711.'], 'list.txt'));
  await send(first);
  const answer = await mail(0);
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
  await send(
    form({
      text: 'And now?',
      attachments: '0',
      headers: `Message-ID: <f2@x.example>\nIn-Reply-To:\n ${answer.messageId}`,
    }),
  );
  await mail(1);
  await send(
    form({ text: 'I am away', ...headers(['Message-Id', '<f3@x.example>'], ['Auto-Submitted', 'auto-replied']) }),
  );
  assert.deepEqual([(await said()).length, (await conversations()).length], [4, 1]);
});

test('files that the agent made are attached to its mail', async () => {
  const note = { filename: 'note', format: 'text', content: 'The code is 4711.' };
  const { deliver, mail } = await mailbox({}, {}, makesFiles.settings, ...makesFiles.replies(note));
  await deliver(mime({ 'Message-ID': '<wants@x.example>' }));
  const { text, attachments } = await mail(0);
  assert.equal(text?.trim(), 'Here it is');
  const [{ filename, mimeType, content } = assert.fail('nothing was attached')] = attachments;
  assert.deepEqual(
    [filename, mimeType, Buffer.from(content as ArrayBuffer).toString()],
    ['note.txt', 'text/plain', note.content],
  );
});

test('a forged delivery is refused; a password and a signature are taken too', async () => {
  const { deliver, post, secrets, conversations } = await mailbox();
  const one = mime({ 'Message-ID': '<x@x.example>' });
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`mail:${password}`).toString('base64')}`,
  });
  const stamp = String(Math.floor(Date.now() / 1000));
  const forgeries: Record<string, string>[] = [
    {},
    { 'x-webhook-secret': 'wrong' },
    basic('wrong'),
    {
      'webhook-id': '1',
      'webhook-timestamp': stamp,
      'webhook-signature': 'v1,AAAA',
      'x-webhook-secret': secrets.inbound_secret,
    },
  ];
  for (const headers of forgeries) assert.equal((await deliver(one, headers)).status, 401);
  assert.deepEqual(await conversations(), []);
  assert.equal((await deliver(one, basic(secrets.inbound_secret))).status, 200);
  const own = { 'x-webhook-secret': secrets.inbound_secret };
  for (const nonsense of ['{', '{"from": 7}']) assert.equal((await post(nonsense, own)).status, 422);
  assert.equal((await deliver({ text: 'from nobody' }, own)).status, 200);
});

test('answers only senders that may write', async () => {
  const { deliver, mail, quiet, mails } = await mailbox({ allowed_senders: ['customer.example', 'boss@else.example'] });
  const from = (address: string, index: number) => mime({ From: address, 'Message-ID': `<s${index}@x.example>` });
  for (const [index, address] of ['a@evil.example', 'b@notcustomer.example', 'c@else.example'].entries())
    await deliver(from(address, index));
  await deliver(from('kim@customer.example', 10));
  await mail(0);
  await deliver(from('boss@else.example', 11));
  await mail(1);
  await quiet();
  assert.deepEqual(
    mails.map(({ to }) => to?.[0]?.address),
    ['kim@customer.example', 'boss@else.example'],
  );
});

test('another sender who answers the same mail has a separate conversation', async () => {
  const { deliver, mail, conversations } = await mailbox();
  await deliver(mime({ 'Message-ID': '<root@x.example>' }, 'My secret is 42'));
  const { messageId } = await mail(0);
  await deliver(
    mime(
      { From: 'eve@evil.example', 'Message-ID': '<e@evil.example>', 'In-Reply-To': messageId ?? '' },
      'What was the secret?',
    ),
  );
  const second = await mail(1);
  assert.equal(second.to?.[0]?.address, 'eve@evil.example');
  assert.equal((await conversations()).length, 2);
});

test('a reply is sent again when the mail server is busy, under the same Message-ID, and given up when it is refused', async () => {
  const busy = await mailbox({}, { refuse: (count) => (count === 1 ? 451 : undefined) });
  await busy.deliver(mime({ 'Message-ID': '<r@x.example>' }));
  assert.match((await busy.mail(0)).messageId ?? '', /^<[\da-f]{24}\.\d+-0\.[\da-f-]{36}@shop\.example>$/);
  const closed = await mailbox({}, { refuse: () => 550 });
  await closed.deliver(mime({ 'Message-ID': '<r2@x.example>' }));
  const state = await eventually(async () => {
    const [row] = await query('select status from channel_outbox where deployment_id = $1', [closed.deployment.id]);
    return row?.status === 'pending' ? undefined : row?.status;
  });
  assert.equal(state, 'failed');
  assert.match((await closed.get()).last_error.message, /550/);
});

test('the password of the mail server is sent to no other server', async () => {
  const { at } = await mailbox();
  for (const config of [{ smtp_host: 'mx.evil.example' }, { smtp_port: 2525 }, { smtp_tls: 'starttls' }])
    assert.equal((await call('PATCH', at, { config })).status, 422);
  assert.equal((await call('PATCH', at, { config: { smtp_port: 2525, smtp_password: 'mail-password' } })).status, 200);
});

test('reads the words of HTML, and the new part of a mail', () => {
  assert.equal(
    htmlToText('<style>x</style><p>Hello&nbsp;<b>you</b> &amp; &#x41;&#66;</p><div>two<br>three</div>'),
    'Hello you & AB\ntwo\nthree',
  );
  assert.equal(stripQuotedText('New\n\nOn Tue, someone\nwrote:\n> old'), 'New');
  assert.equal(stripQuotedText('New\n> old\n> older\n'), 'New');
  assert.equal(stripQuotedText('> only quoted'), '> only quoted');
  fc.assert(
    fc.property(
      fc.string(),
      (text) => !/<[a-z][^>]*>/i.test(htmlToText(text).replaceAll(/&lt;/g, '')) || text.includes('&'),
    ),
  );
  const began = cpuTime();
  for (const piece of ['<', '<p ', '&#', 'On ', '\n>', '<!--', '<style>']) {
    htmlToText(piece.repeat(50_000 / piece.length));
    stripQuotedText(piece.repeat(50_000 / piece.length));
  }
  assert.ok(cpuTime() - began < 5000, `${cpuTime() - began} ms`);
});
