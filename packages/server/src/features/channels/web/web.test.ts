import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { readChunks, readMessage } from '../../runs/dialects/testing.ts';
import { channelApp, eventually } from '../testing.ts';

const { app, call, deploy } = await channelApp({ trusted_proxies: ['10.9.0.0/16'] });

const visit = (path: string) => call('GET', path, undefined, { key: null });
const configIn = (html: string) => JSON.parse(/id="chat">(.*?)<\/script>/s.exec(html)?.[1] ?? '');

/** A visitor's browser, as far as the page's script needs one. */
async function visitor(deployment: { page_path: string; inbound_path: string }) {
  const { token } = configIn((await visit(deployment.page_path)).text);
  const begun = await call('POST', deployment.inbound_path, { token }, { key: null });
  assert.equal(begun.status, 200, begun.text);
  const at = `/v1/public/conversations/${begun.json.token}`;
  const say = async (content: string, more: object = {}) => {
    const answer = await call('POST', `${at}/stream?format=ui`, { content, ...more }, { key: null });
    assert.equal(answer.status, 200, answer.text);
    const { message } = await readMessage(await readChunks(answer.text));
    return message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  };
  return { at, say, view: async () => (await visit(at)).json };
}

test('a visitor talks to the agent in a conversation of their own, and finds it again after a reload', async () => {
  const { deployment, conversations } = await deploy({ channel: 'web' });
  const [anna, ben] = [await visitor(deployment), await visitor(deployment)];
  for (const text of ['One', 'Two', 'Three']) assert.equal(await anna.say(text), `You said: ${text}`);
  await ben.say('Hello');
  const texts = (await anna.view()).ui_messages.flatMap(({ parts }: { parts: { type: string; text: string }[] }) =>
    parts.filter(({ type }) => type === 'text').map(({ text }) => text),
  );
  assert.deepEqual(texts, ['One', 'You said: One', 'Two', 'You said: Two', 'Three', 'You said: Three']);
  const [first, second] = await conversations();
  assert.deepEqual([first.chat_transport, first.deployment_id], ['web', deployment.id]);
  assert.deepEqual([first.messages.length, second.messages.length], [6, 2]);
  const replayed = await visit(`${anna.at}/events?format=ui&after=0`);
  const deltas = [...replayed.text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta);
  assert.equal(deltas.join(''), 'You said: Three');
});

test('the link of a visitor takes no end and stays for writing', async () => {
  const { deployment, conversations } = await deploy({ channel: 'web' });
  const anna = await visitor(deployment);
  await anna.say('One');
  const [{ id }] = await conversations();
  for (const terms of [{ read_only: true }, { expires_at: '2099-01-01T00:00:00Z' }]) {
    const { status, json } = await call('POST', `/v1/conversations/${id}/share`, terms);
    assert.deepEqual([status, json.code], [409, 'link_of_visitor']);
  }
  assert.equal(await anna.say('Two'), 'You said: Two');
});

test('a file that a visitor sends reaches the agent', async () => {
  const { deployment, model } = await deploy({ channel: 'web' });
  const { say } = await visitor(deployment);
  await say('Read this', {
    files: [{ name: 'note.txt', b64_content: Buffer.from('The code is 4711.').toString('base64') }],
  });
  assert.match(JSON.stringify(model.last().body), /The code is 4711/);
});

test('refuses files at the API where the page takes none', async () => {
  const { deployment, conversations } = await deploy({ channel: 'web', config: { allow_files: false } });
  const { at, say } = await visitor(deployment);
  const files = [{ name: 'note.txt', b64_content: Buffer.from('Hello').toString('base64') }];
  const { status, json } = await call('POST', `${at}/stream?format=ui`, { content: 'Read', files }, { key: null });
  assert.deepEqual([status, json.code], [403, 'files_not_allowed']);
  assert.equal(await say('Hello'), 'You said: Hello');
  assert.equal((await conversations())[0].messages.length, 2);
});

test('a message that is sent again with its key is heard once', async () => {
  const { deployment, model } = await deploy({ channel: 'web' });
  const { at } = await visitor(deployment);
  const send = () =>
    call('POST', `${at}/stream?format=ui`, { content: 'Hello' }, { key: null, headers: { 'idempotency-key': 'one' } });
  assert.equal((await send()).text, (await send()).text);
  assert.equal(model.requests.length, 1);
});

test('begins no conversation without the token of the page', async () => {
  const { deployment, conversations } = await deploy({ channel: 'web' });
  const other = await deploy({ channel: 'web' });
  const theirs = other.deployment.page_path.slice('/chat/'.length);
  for (const body of [{}, { token: 'x' }, { token: theirs }, { token: [deployment.page_path] }, 'no json'])
    assert.equal((await call('POST', deployment.inbound_path, body, { key: null })).status, 401);
  for (const path of ['/chat/x', `/chat/${deployment.id}`, '/embed/x.js'])
    assert.equal((await visit(path)).status, 404);
  assert.deepEqual(await conversations(), []);
});

test('a browser that follows an address that is no more is shown a page, a program the error', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await call('GET', '/chat/x', undefined, { key: null, headers });
  assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8']);
  assert.equal(configIn(page.text), null);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'self'$/);
  assert.equal((await visit('/chat/x')).json.code, 'not_found');
});

test('tells the page chat_input_placeholder, and keeps all texts of settings as text', async () => {
  const wicked = '"></title><script>alert(1)</script><!--$&';
  const config = { title: wicked, greeting: wicked };
  const { deployment } = await deploy({ channel: 'web', config }, { chat_input_placeholder: `Ask ${wicked}` });
  const { text, headers } = await visit(deployment.page_path);
  const shown = '&quot;&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--$&amp;';
  assert.ok(text.includes(`<title>${shown}</title>`), text);
  assert.equal(text.match(/<script/g)?.length, 2, 'a setting became a script');
  const { deployment_id, title, greeting, placeholder } = configIn(text);
  assert.deepEqual([deployment_id, title, greeting], [deployment.id, wicked, wicked]);
  assert.equal(placeholder, `Ask ${wicked}`);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
});

test('lets the browser load nothing from elsewhere, and only the allowed origins frame the page', async () => {
  const allowed_origins = ['https://shop.example', 'https://*.shop.example:8443'];
  const { deployment } = await deploy({ channel: 'web', config: { allowed_origins } });
  const policy = String((await visit(deployment.page_path)).headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']{20,}';/);
  assert.match(policy, /frame-ancestors 'self' https:\/\/shop\.example https:\/\/\*\.shop\.example:8443$/);
  const closed = await deploy({ channel: 'web' });
  const own = String((await visit(closed.deployment.page_path)).headers['content-security-policy']);
  assert.match(own, /frame-ancestors 'self'$/);
});

test('sends each page with a nonce of its own, and the embedded script to pages of other origins', async () => {
  const { deployment } = await deploy({ channel: 'web' });
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const { text, headers } = await visit(deployment.page_path);
      const nonce = /<meta property="csp-nonce" nonce="([^"]+)">/.exec(text)?.[1] ?? '';
      assert.ok(nonce && String(headers['content-security-policy']).includes(`'nonce-${nonce}'`));
      return nonce;
    }),
  );
  assert.notEqual(nonces[0], nonces[1]);
  const { status, text, headers } = await visit(deployment.embed_path);
  assert.deepEqual([status, text], [200, 'embed();\n']);
  assert.match(String(headers['content-type']), /^text\/javascript/);
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  for (const path of ['/chat.html', '/chat-assets/chat.js']) assert.equal((await visit(path)).status, 404, path);
});

test('says that the page is not built where there is no console', async () => {
  const bare = await channelApp({ console_dir: '/no/console/here' });
  const { deployment } = await bare.deploy({ channel: 'web' });
  for (const path of [deployment.page_path, deployment.embed_path]) {
    const { status, json } = await bare.call('GET', path, undefined, { key: null });
    assert.deepEqual([status, json.detail], [503, 'The chat page of this server is not built'], path);
  }
});

/** Begins a chat from an address that the connecting proxy reports; by default that proxy is trusted. */
async function begin(
  { page_path, inbound_path: url }: { page_path: string; inbound_path: string },
  address: string,
  remoteAddress = '10.9.0.1',
) {
  const payload = { token: page_path.slice('/chat/'.length) };
  const headers = { 'x-forwarded-for': address };
  const answer = await app.server.inject({ method: 'POST', url, headers, payload, remoteAddress });
  return { status: answer.statusCode, headers: answer.headers, json: answer.json() };
}

test('no more conversations are begun in an hour than the deployment allows, in all and by one visitor', async () => {
  const config = { max_conversations_per_hour: 4, max_visitor_conversations_per_hour: 2 };
  const { deployment, conversations } = await deploy({ channel: 'web', config });
  const begun = async (address: string) => (await begin(deployment, address)).status;
  const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2::2', '203.0.113.9'];
  assert.deepEqual([await begun(one), await begun(same), await begun(one)], [200, 200, 429]);
  // What a stranger claims of themselves before the proxy's own word counts for nothing.
  assert.deepEqual([await begun(`198.51.100.7, ${same}`), await begun(other), await begun(other)], [429, 200, 200]);
  const { status, headers, json } = await begin(deployment, '192.0.2.4');
  assert.deepEqual([status, json.code], [429, 'rate_limited']);
  assert.ok(Number(headers['retry-after']) > 3000 && Number(headers['retry-after']) <= 3600);
  const refs = (await conversations()).map(({ channel_ref }) => JSON.stringify(channel_ref));
  assert.deepEqual([refs.length, new Set(refs).size], [4, 2]);
  // With the sign that stands behind it: the pseudonym may well have these figures in it.
  assert.doesNotMatch(refs.join(), /2001:|203\.0/);
});

test('only a proxy that was named is believed whom it speaks for', async () => {
  const { deployment } = await deploy({ channel: 'web', config: { max_visitor_conversations_per_hour: 1 } });
  // Neither remote nor local clients are believed: each is one visitor, for any header it sends.
  for (const from of ['203.0.113.50', '127.0.0.1', '10.8.0.1', '192.168.1.7', '::1', 'fd00::7']) {
    const claimed = ['198.51.100.1', '198.51.100.2', '198.51.100.3, 10.9.0.1'];
    const answers: number[] = [];
    for (const address of claimed) answers.push((await begin(deployment, address, from)).status);
    assert.deepEqual(answers, [200, 429, 429], from);
  }
  assert.equal((await begin(deployment, '198.51.100.1')).status, 200);
});

test('keeps a visitor id that can not be computed from public data, nor be followed from page to page', async () => {
  const address = '203.0.113.9';
  const names = await Promise.all(
    [1, 2].map(async () => {
      const { deployment, conversations } = await deploy({ channel: 'web' });
      await begin(deployment, address);
      const [{ channel_ref }] = await conversations();
      const guess = createHmac('sha256', deployment.page_path.slice('/chat/'.length)).update(address);
      assert.notEqual(channel_ref.visitor, guess.digest('base64url').slice(0, 22));
      return channel_ref.visitor as string;
    }),
  );
  assert.notEqual(names[0], names[1]);
});

test('counts a network of IPv6 addresses as one visitor, in any notation', async () => {
  const { deployment } = await deploy({ channel: 'web', config: { max_visitor_conversations_per_hour: 2 } });
  const begun = async (address: string) => (await begin(deployment, address)).status;
  const same = ['2001:db8::1', '2001:DB8:0:0:7::2', '2001:db8:0:0:1:2:3:4', '2001:db8::ffff:1'];
  const answers: number[] = [];
  for (const address of same) answers.push(await begun(address));
  assert.deepEqual(answers, [200, 200, 429, 429]);
  assert.equal(await begun('2001:db8:0:1::1'), 200);
});

test('a visitor who says too much is asked to wait, and so is everybody when a page has heard enough', async () => {
  const config = { max_visitor_messages_per_minute: 2, max_messages_per_hour: 3 };
  const { deployment, conversations } = await deploy({ channel: 'web', config });
  const [anna, ben] = [await visitor(deployment), await visitor(deployment)];
  const refused = async ({ at }: typeof anna) => {
    const { status, headers } = await call('POST', `${at}/stream`, { content: 'More' }, { key: null });
    return [status, Number(headers['retry-after']) > 60];
  };
  await anna.say('One');
  await anna.say('Two');
  assert.deepEqual(await refused(anna), [429, false]);
  await ben.say('Three');
  assert.deepEqual(await refused(ben), [429, true]);
  assert.deepEqual(
    (await conversations()).map(({ messages }) => messages.length),
    [4, 2],
  );
});

test('a page without limits of its own has the default ones, and shows them', async () => {
  const { deployment } = await deploy({ channel: 'web' });
  const { max_conversations_per_hour, max_messages_per_hour, ...rest } = deployment.config;
  assert.deepEqual([max_conversations_per_hour, max_messages_per_hour], [1000, 5000]);
  assert.deepEqual([rest.max_visitor_conversations_per_hour, rest.max_visitor_messages_per_minute], [100, 20]);
});

test('a visitor stops the answer that is being given, and asks on', async () => {
  const slow = { text: 'Word '.repeat(400), deltas: 100, chunk_delay_ms: 50 };
  const { deployment, model } = await deploy({ channel: 'web' }, {}, slow, { text: 'Here' });
  const { at, say, view } = await visitor(deployment);
  const answer = say('Tell me everything');
  // A run that is stopped sooner would leave the slow answer to the next question.
  await eventually(() => model.requests.length === 1 || undefined);
  const stopped = await call('POST', `${at}/stop`, undefined, { key: null });
  assert.deepEqual([stopped.status, stopped.json], [200, { success: true }]);
  assert.equal((await view()).status, 'stopped');
  await answer;
  // There is nothing to stop any more.
  assert.equal((await call('POST', `${at}/stop`, undefined, { key: null })).status, 200);
  assert.equal(await say('And now?'), 'Here');
});

test('a visitor of a deployment that was ended is let in no more, and what they said is kept', async () => {
  const { deployment, at, conversations } = await deploy({ channel: 'web' });
  const anna = await visitor(deployment);
  await anna.say('Hello');
  await call('PATCH', at, { enabled: false });
  assert.equal((await visit(anna.at)).status, 404);
  await call('PATCH', at, { enabled: true });
  assert.equal((await visit(anna.at)).status, 200);
  const [{ id }] = await conversations();
  await call('DELETE', at);
  assert.equal((await visit(anna.at)).status, 404);
  assert.equal((await call('GET', `/v1/conversations/${id}`)).json.messages.length, 2);
});

test('a page that another tab still answers is joined, not asked again', async () => {
  const { deployment, model } = await deploy({ channel: 'web' }, {}, { text: 'Slowly', delay_ms: 400 });
  const { at, say } = await visitor(deployment);
  const first = say('Hello');
  await eventually(() => model.requests.length === 1 || undefined);
  const joined = await app.server.inject({ method: 'GET', url: `${at}/events?format=ui&after=0` });
  const { message } = await readMessage(await readChunks(joined.payload));
  assert.equal(message.parts.find((part) => part.type === 'text')?.text, 'Slowly');
  assert.equal(await first, 'Slowly');
  assert.equal(model.requests.length, 1);
});
