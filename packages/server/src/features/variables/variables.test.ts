import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { agentApp, validationErrorsOf } from '../agents/testing.ts';

const { app, call, make, good, upload, workspace, query } = await agentApp();
const path = '/v1/variables';
const create = (body: object) => call('POST', path, body);
let count = 0;
const name = () => `v${++count}`;

test('a variable is made, got, listed by name, changed and deleted', async () => {
  const made = good(await create({ name: 'city', inline_value: 'Oslo' }));
  assert.partialDeepStrictEqual(made, {
    ...{ name: 'city', type: 'string', source: 'inline', is_secret: false, inline_value: 'Oslo' },
    ...{ vault_credential_id: null, vault_path: null, vault_key: null, env_var_name: null },
  });
  assert.deepEqual(good(await call('GET', `${path}/${made.id}`)), made);
  const changed = good(await call('PATCH', `${path}/${made.id}`, { name: 'town', inline_value: 'Bergen' }));
  assert.deepEqual([changed.name, changed.inline_value, changed.id], ['town', 'Bergen', made.id]);
  good(await create({ name: 'country', inline_value: 'Norway' }));
  const list = good(await call('GET', `${path}?search=TOW`));
  assert.deepEqual([list.total, list.items[0].name], [1, 'town']);
  assert.deepEqual(
    good(await call('GET', path)).items.map((item: { name: string }) => item.name),
    ['country', 'town'],
  );
  assert.deepEqual(good(await call('DELETE', `${path}/${made.id}`)), { success: true });
  assert.equal((await call('GET', `${path}/${made.id}`)).status, 404);
});

test('a patch of the whole shape changes what has a value; an empty inline_value alone is a value', async () => {
  const made = good(await create({ name: 'shape', inline_value: 'Oslo' }));
  const patch = (body: object) => call('PATCH', `${path}/${made.id}`, body);
  const empty = { vault_credential_id: '', vault_path: '', vault_key: '', env_var_name: '' };
  const whole = { ...empty, name: '', inline_value: '', type: '', source: 'inline' };
  const renamed = good(await patch({ ...whole, name: 'shaped', value_type: 'string' }));
  assert.deepEqual([renamed.name, renamed.inline_value, renamed.source], ['shaped', 'Oslo', 'inline']);
  assert.equal(good(await patch(whole)).inline_value, 'Oslo');
  assert.equal(good(await patch({ ...whole, inline_value: 'Bergen' })).inline_value, 'Bergen');
  assert.equal(good(await patch({ inline_value: '' })).inline_value, '');
  good(await patch({ inline_value: 'Oslo' }));
  assert.equal(good(await patch({ inline_value: '', source: 'inline', name: null })).inline_value, '');
  assert.deepEqual(validationErrorsOf(await patch({ ...whole, name: 'a b', vault_path: 'x' })), [
    'body.name: string_pattern_mismatch',
  ]);
  const misfit = await patch({ ...whole, vault_path: 'x' });
  assert.deepEqual(validationErrorsOf(misfit), ['body.vault_path: value_error']);
  assert.equal((await patch({ unknown: '' })).status, 422, 'a misspelt field is refused, empty or not');
});

test('names are unique in a workspace and fit between braces', async () => {
  good(await create({ name: 'only', inline_value: 'x' }));
  const other = good(await create({ name: 'other', inline_value: 'x' }));
  assert.equal((await create({ name: 'only', inline_value: 'y' })).status, 409);
  assert.equal((await call('PATCH', `${path}/${other.id}`, { name: 'only' })).status, 409);
  const { key } = await workspace();
  assert.equal((await app.call('POST', path, { name: 'only', inline_value: 'x' }, { key })).status, 200);
  for (const bad of ['', '1a', 'a b', 'a.b', 'a}}', '{{a', 'å', 'a\u0000', 'a'.repeat(101), '-a'])
    assert.equal((await create({ name: bad, inline_value: 'x' })).status, 422, bad);
});

/** What each type takes, as it is kept, and what it refuses. */
const types: [type: string, taken: [string, string][], refused: string[]][] = [
  [
    'string',
    [
      ['', ''],
      [' a ', ' a '],
    ],
    [],
  ],
  [
    'number',
    [
      ['42', '42'],
      ['-1.5e3', '-1.5e3'],
      [' 12345678901234567890 ', '12345678901234567890'],
    ],
    ['', 'x', 'NaN', '1e999', '[1]'],
  ],
  [
    'boolean',
    [
      ['true', 'true'],
      ['No', 'false'],
      ['1', 'true'],
    ],
    ['', 'maybe', '2'],
  ],
  ['object', [['{"a": 1}', '{"a": 1}']], ['', '[1]', 'null', '"a"', '{a:1}', '{"a":1']],
  [
    'datetime',
    [
      ['2026-11-15', '2026-11-15T00:00:00.000Z'],
      ['2026-11-15T10:00+01:00', '2026-11-15T09:00:00.000Z'],
    ],
    ['', 'soon', '2026-13-01'],
  ],
];
for (const [type, taken, refused] of types)
  test(`a ${type} is checked against its value`, async () => {
    for (const [sent, kept] of taken) {
      const made = good(await create({ name: name(), type, inline_value: sent }));
      assert.deepEqual([made.type, made.inline_value], [type, kept]);
    }
    for (const sent of refused) {
      const { status, json, text } = await create({ name: name(), type, inline_value: sent });
      assert.equal(status, 422, sent);
      assert.deepEqual([json.detail[0].loc, json.detail[0].input], [['body', 'inline_value'], '**********'], text);
    }
  });

test('a file is one of the workspace', async () => {
  const file = await upload('a.txt');
  assert.equal(good(await create({ name: name(), type: 'file', inline_value: file.toUpperCase() })).inline_value, file);
  const theirs = await upload('b.txt', (await workspace()).key);
  for (const wrong of [theirs, randomUUID()]) {
    const answer = await create({ name: name(), type: 'file', inline_value: wrong });
    assert.deepEqual(validationErrorsOf(answer), ['body.inline_value: value_error']);
  }
  assert.deepEqual(validationErrorsOf(await create({ name: name(), type: 'file', inline_value: 'x' })), [
    'body.inline_value: uuid_parsing',
  ]);
});

test('a value is sealed, and that of a secret is in no answer', async () => {
  const [plain, secret] = ['plain-value-0123', 'secret-value-0123'];
  const open = good(await create({ name: 'open', inline_value: plain }));
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'hidden', inline_value: secret, is_secret: true };
  const answers = [
    await call('POST', path, body, headers),
    await call('POST', path, body, headers),
    await create({ ...body, name: 'bad name' }),
    await create({ ...body, type: 'number' }),
    await create({ ...body, inline_value: { a: secret } }),
    await create(body),
    await call('GET', path),
  ];
  const { id } = answers[0]?.json ?? {};
  answers.push(
    await call('GET', `${path}/${id}`),
    await call('PATCH', `${path}/${id}`, { type: 'number' }),
    await call('PATCH', `${path}/${id}`, { type: 'number', inline_value: secret }),
    await call('PATCH', `${path}/${id}`, { is_secret: false }),
    await call('PATCH', `${path}/${id}`, { name: 'hidden2' }),
  );
  assert.deepEqual([answers[0]?.json.inline_value, answers[0]?.json.is_secret], [null, true]);
  for (const { text } of answers) assert.ok(!text.includes(secret), text);
  const rows = JSON.stringify(await query('select * from variables'));
  assert.ok(!rows.includes(secret) && !rows.includes(plain) && !app.logged.join('').includes(secret));
  assert.equal(good(await call('GET', `${path}/${open.id}`)).inline_value, plain);
});

test('a secret is shown again only with another value', async () => {
  const { id } = good(await create({ name: name(), inline_value: 'abc', is_secret: true }));
  assert.deepEqual(validationErrorsOf(await call('PATCH', `${path}/${id}`, { is_secret: false })), [
    'body.is_secret: value_error',
  ]);
  const shown = good(await call('PATCH', `${path}/${id}`, { is_secret: false, inline_value: 'def' }));
  assert.deepEqual([shown.is_secret, shown.inline_value], [false, 'def']);
});

test('each source has its own fields, and one it leaves takes them along', async () => {
  const vault = good(
    await call('POST', '/v1/vault-credentials', { name: 'v', address: 'https://v.example', token: 't' }),
  );
  assert.deepEqual(validationErrorsOf(await create({ name: name() })), ['body.inline_value: missing']);
  assert.deepEqual(validationErrorsOf(await create({ name: name(), source: 'vault', inline_value: 'x' })), [
    'body.inline_value: value_error',
    'body.vault_credential_id: missing',
    'body.vault_path: missing',
    'body.vault_key: missing',
  ]);
  const fields = { vault_credential_id: vault.id, vault_path: 'app/db', vault_key: 'password' };
  const made = good(await create({ name: name(), source_type: 'vault', value_type: 'number', ...fields }));
  assert.partialDeepStrictEqual(made, { ...fields, is_secret: true, type: 'number', source: 'vault' });
  const nobodys = { ...fields, vault_credential_id: randomUUID() };
  assert.equal((await create({ name: name(), source: 'vault', ...nobodys })).status, 404);
  const removed = await call('DELETE', `/v1/vault-credentials/${vault.id}`);
  assert.deepEqual([removed.status, removed.json.code], [409, 'in_use']);
  assert.ok(removed.json.detail.includes(made.name));
  const inline = good(await call('PATCH', `${path}/${made.id}`, { source: 'inline', inline_value: '7' }));
  assert.partialDeepStrictEqual(inline, { vault_path: null, vault_credential_id: null, is_secret: true });
  assert.equal((await call('DELETE', `/v1/vault-credentials/${vault.id}`)).status, 200);
});

test('the environment is open only under the prefix, and the refusal says which', async () => {
  const values = { MY_VAR_TOKEN: 'from-the-host', MY_VAR_N: '5' };
  const host = await testApp({ variable_prefix: 'MY_VAR_', variable_values: values });
  const from = (env_var_name: string, more = {}) =>
    host.call('POST', path, { name: name(), source: 'environment', env_var_name, ...more });
  for (const closed of ['PATH', 'ATRIUM_SECRET_KEY', 'my_var_token', 'MY_VAR_', 'OPENAI_API_KEY', 'XMY_VAR_TOKEN']) {
    const { status, json } = await from(closed);
    assert.equal(status, 422);
    assert.equal(
      json.detail[0].ctx.error,
      'only environment variables whose names begin with MY_VAR_ can be read',
      closed,
    );
  }
  assert.match((await from('MY_VAR_ABSENT')).json.detail[0].msg, /no environment variable/);
  assert.match((await from('MY_VAR_TOKEN', { type: 'number' })).json.detail[0].msg, /is no number/);
  const made = await from('MY_VAR_TOKEN');
  assert.partialDeepStrictEqual(made.json, { is_secret: true, inline_value: null, env_var_name: 'MY_VAR_TOKEN' });
  assert.equal((await from('MY_VAR_N', { type: 'number', is_secret: false })).json.inline_value, null);
  assert.ok(!made.text.includes('from-the-host'));
});

test('one in use is deleted only by force, and the refusal says where it is used', async () => {
  const fresh = async () => good(await create({ name: name(), inline_value: 'x' }));
  const uses: ((variable: { id: string; name: string }) => [method: string, path: string, body: object])[] = [
    ({ id }) => ['POST', '/v1/agents', { name: 'lists', definition: { variables: [{ id }], variables_enabled: true } }],
    ({ id }) => ['POST', '/v1/agents', { name: 'lists', definition: { variables: [id] } }],
    (v) => ['POST', '/v1/agents', { name: 'says', definition: { persona: `Hello {{ ${v.name} }}` } }],
    (v) => [
      'POST',
      '/v1/agents',
      {
        name: 'sends',
        definition: { actions: [{ name: 'a', url: 'https://x', headers: { a: `{{secret.${v.name}}}` } }] },
      },
    ],
    (v) => [
      'POST',
      '/v1/agents',
      { name: 'connects', definition: { databases: [{ name: 'd', dsn_variable: v.name }] } },
    ],
    (v) => ['POST', '/v1/conversations', { name: 'talks', settings: { tone: `{{${v.name}}}` } }],
    (v) => [
      'POST',
      '/v1/workflows',
      { definition: { nodes: [{ id: 'a', type: 'ComposeTextNode', node_config: { template: `{{${v.name}}}` } }] } },
    ],
    (v) => [
      'POST',
      '/v1/workflows',
      { definition: { nodes: [{ id: 'a', type: 'VariableNode', node_config: { name: v.name } }] } },
    ],
  ];
  for (const use of uses) {
    const variable = await fresh();
    const record = good(await call(...use(variable)));
    const refused = await call('DELETE', `${path}/${variable.id}`);
    assert.deepEqual([refused.status, refused.json.code], [409, 'in_use']);
    assert.ok(refused.json.detail.includes(`${record.name} (${record.id})`), refused.json.detail);
    good(await call('DELETE', `${path}/${variable.id}?force=true`));
  }
  const drafted = await fresh();
  const { id } = await make();
  good(await call('PATCH', `/v1/agents/${id}?preview=true`, { definition: { variables: [drafted.id] } }));
  assert.equal((await call('DELETE', `${path}/${drafted.id}`)).status, 409);
  good(await call('DELETE', `/v1/agents/${id}`));
  good(await call('DELETE', `${path}/${drafted.id}`));
  const longer = await fresh();
  await make({ definition: { persona: `{{${longer.name}x}} and {${longer.name}}` } });
  good(await call('DELETE', `${path}/${longer.id}`));
});

test("settings take the workspace's own variables, and another's or none are 422", async () => {
  const own = good(await create({ name: name(), inline_value: 'x' }));
  const { key } = await workspace();
  const theirs = good(await app.call('POST', path, { name: 'theirs', inline_value: 'x' }, { key }));
  const settings = { variables_enabled: true, variables: [own.id, { id: own.id, enabled: false }] };
  assert.deepEqual((await make({ definition: settings })).definition.variables, settings.variables);
  good(await call('POST', '/v1/conversations', { settings }));
  for (const wrong of [theirs.id, randomUUID(), 'x'])
    assert.deepEqual(
      validationErrorsOf(await call('POST', '/v1/conversations', { settings: { variables: [own.id, { id: wrong }] } })),
      ['body.settings.variables.1.id: value_error'],
    );
});

test('an agent that moves to another workspace finds the variable of the same name there', async () => {
  const own = good(await create({ name: 'movable', inline_value: 'x', is_secret: true }));
  const agent = await make({ definition: { variables: [{ id: own.id }] } });
  const file = good(await call('GET', `/v1/agents/${agent.id}/export`));
  assert.deepEqual(file.references, [{ kind: 'variable', id: own.id, name: 'movable' }]);
  const { key } = await workspace();
  const theirs = good(await app.call('POST', path, { name: 'movable', inline_value: 'y' }, { key }));
  const taken = good(await app.call('POST', '/v1/agents/import', file, { key }));
  assert.deepEqual(taken.agent.definition.variables, [{ id: theirs.id }]);
});
