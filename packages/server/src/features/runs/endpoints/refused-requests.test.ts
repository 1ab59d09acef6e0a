import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openTestServer } from './testing.ts';

const { provider, talk, call, post, query, workspace, app, place, open } = await openTestServer();

/** Everything that a refused message might leave behind. */
const left = async () =>
  JSON.stringify(
    await query(`select (select count(*) from messages) as messages, (select count(*) from runs) as runs,
      (select count(*) from files) as files, (select count(*) from run_events) as events,
      (select string_agg(etag_ms || '-' || etag_seq || status, ',' order by id) from conversations) as conversations`),
  );
const doors = ['', '/chat', '/stream'];
const text = (content: string) => Buffer.from(content).toString('base64');

async function refused(path: string, body: unknown, more: object = {}) {
  const before = await left();
  const asked = provider.requests.length;
  const answers = [];
  for (const door of doors) answers.push(await post(`${path}${door}`, body, more));
  const [first, ...others] = answers as [(typeof answers)[0], ...typeof answers];
  for (const other of others) assert.deepEqual([other.status, other.json], [first.status, first.json]);
  assert.equal(await left(), before, 'nothing is stored by halves');
  assert.equal(provider.requests.length, asked, 'no model is asked');
  return first;
}

test('a locked conversation says why it takes no message', async () => {
  const path = await talk();
  await call('POST', `${path}/lock`, { message: 'This case is closed.' });
  const { status, json } = await refused(path, { content: 'x' });
  assert.deepEqual([status, json], [423, { detail: 'This case is closed.', code: 'locked' }]);
});

test('a message without words is refused with where and why', async () => {
  const path = await talk();
  for (const [body, type, at] of [
    [{}, 'missing', 'content'],
    [{ content: null }, 'string_type', 'content'],
    [{ content: '' }, 'string_too_short', 'content'],
    [{ content: ' \n\t ' }, 'string_pattern_mismatch', 'content'],
    [{ content: 5 }, 'string_type', 'content'],
    [{ content: 'x', unknown: 1 }, 'extra_forbidden', 'unknown'],
    [{ content: 'x', files: 'a' }, 'list_type', 'files'],
    [{ content: 'x', model_selection: [''] }, 'string_too_short', 'model_selection.0'],
  ] as const) {
    const { status, json } = await refused(path, body);
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual([json.detail[0].type, json.detail[0].loc.join('.')], [type, `body.${at}`], JSON.stringify(body));
  }
});

test('absent and null fields of a message are the same', async () => {
  const path = await talk();
  provider.reply({ text: 'Fine.' });
  const nulls = { tool: null, kb_id: null, workflow_id: null, files: null, model_selection: null };
  const { status, json } = await post(path, { content: 'x', ...nulls });
  assert.equal(status, 200);
  assert.deepEqual(json.messages[0].message_parts, [{ role: 'user', type: 'user', content: 'x' }]);
});

test('a conversation with as many messages as it may have takes no more', async () => {
  const path = await talk({ usage_limits_max_messages: 2 });
  provider.reply({ text: 'Fine.' });
  assert.equal((await post(path)).status, 200);
  const { status, json } = await refused(path, { content: 'One more' });
  assert.deepEqual([status, json.code], [409, 'usage_limit_reached']);
  assert.match(json.detail, /limit of 2 messages; start a new one/);
});

test('a model that is not configured fails the run and says what to do', async () => {
  const path = await talk({ model: ['anthropic/claude-nowhere'] });
  const { status, json } = await post(path);
  assert.deepEqual([status, json.status], [200, 'failed']);
  const [part] = json.messages.at(-1).message_parts;
  assert.deepEqual([part.type, part.code], ['error', 'model_not_configured']);
  assert.match(part.content, /anthropic\/claude-nowhere.*(?:ANTHROPIC_API_KEY|admin\/providers)/s);
  const own = await post(await talk(), { content: 'x', model_selection: ['mistral/nowhere'] });
  assert.equal(own.json.messages.at(-1).message_parts[0].code, 'model_not_configured');
  const streamed = await open(`${path}/stream?format=ui`, { method: 'POST', body: { content: 'x' } });
  assert.match(await streamed.whole(), /"type":"error".*claude-nowhere/);
});

test('names the files that cannot be fetched and stores no file of the request', async () => {
  const path = await talk();
  const other = await workspace();
  const boundary = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhi\r\n--b--\r\n';
  const anothers = await app.server.inject({
    method: 'POST',
    url: '/v1/files',
    headers: { 'x-api-key': other.key, 'content-type': 'multipart/form-data; boundary=b' },
    payload: boundary,
  });
  const good = { name: 'good.txt', b64_content: text('good') };
  for (const [file, at, pattern] of [
    [{ name: 'bad.txt', b64_content: 'not base64!' }, 'b64_content', /[Bb]ase64/],
    [{ name: 'bad.txt', b64_content: 'YQ' }, 'b64_content', /[Bb]ase64/],
    [{ b64_content: text('x') }, 'name', /required/i],
    [{ name: 'bad.txt' }, '', /one of b64_content, url or id/],
    [{ name: 'bad.txt', id: anothers.json().id }, 'id', /file/],
    [{ name: 'bad.txt', id: randomUUID() }, 'id', /file/],
    [{ name: 'bad.txt', url: `store://${anothers.json().id}` }, 'url', /file/],
    [{ name: 'bad.txt', url: 'ftp://example.com/a' }, 'url', /bad\.txt/],
    [{ name: 'bad.txt', url: 'nonsense' }, 'url', /bad\.txt/],
  ] as const) {
    const { status, json } = await refused(path, { content: 'x', files: [good, file] });
    assert.equal(status, 422, JSON.stringify(json));
    assert.deepEqual(json.detail[0].loc, ['body', 'files', '1', ...(at ? [at] : [])]);
    assert.match(json.detail[0].msg, pattern);
  }
  assert.ok(place.key);
});

test('an address inside our own network is refused in every spelling', async () => {
  const path = await talk();
  const spellings = `http://127.0.0.1/ http://localhost/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/
    http://127.1/ http://0/ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[64:ff9b::7f00:1]/
    http://169.254.169.254/latest/meta-data http://10.0.0.8/ http://192.168.1.1/ http://172.16.0.1/ http://100.64.0.1/
    http://[fd00::1]/ http://[fe80::1]/ http://user:word@127.0.0.1/ http://127.0.0.1.:80/ file:///etc/passwd`.split(
    /\s+/,
  );
  const files = spellings.map((url, n) => ({ name: `f${n}`, url }));
  const { status, json } = await refused(path, { content: 'x', files });
  assert.equal(status, 422);
  assert.deepEqual(
    json.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort(),
    spellings.map((_, n) => `body.files.${n}.url`).sort(),
  );
  for (const { loc, msg } of json.detail) assert.match(msg, new RegExp(`"f${loc[2]}"`));
});
