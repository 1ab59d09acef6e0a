import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { defineTool, ToolError } from '../tools/service.ts';
import { startFakeVault } from '../vault/testing.ts';

/** What the last hop got, as it got it. */
const sent: unknown[] = [];
const output = z.unknown();
const to = { address: 'https://desk.example/', setting: 'actions' } as const;
const send = defineTool({
  ...{ tool: 'test_send', description: 'Sends', repeatable: false, reveals: to, output },
  input: z.object({ body: z.unknown() }),
  async run(scope, { body }, _, reveal) {
    const headers = await reveal({ authorization: 'Bearer {{secret.TOKEN}}' }, to);
    sent.push({ body, headers });
    scope.log.info('Sent', { headers });
    if (body === 'refuse') throw new ToolError(`401 for ${headers.authorization}`);
    if (body === 'break') throw new Error(`socket with ${headers.authorization} was closed`);
    const basic = Buffer.from(`user:${headers.authorization}`).toString('base64');
    return { headers, body, [headers.authorization]: [basic, encodeURIComponent(headers.authorization)] };
  },
});
const look = defineTool({
  ...{ tool: 'test_look', description: 'Looks', repeatable: true, output },
  input: z.object({ text: z.string() }),
  async run(_, { text }, __, reveal) {
    return { text, revealed: text.startsWith('try') ? await reveal(text, to) : null };
  },
});

const vault = await startFakeVault();
const app = await scriptedApp(
  { web_allow: ['127.0.0.1'], variable_values: { ATRIUM_VAR_REGION: 'eu-north-1' } },
  { tools: [send, look] },
);
const { server, name: provider } = await app.provider();
const base = { model: [`${provider}/one`], pii_anonimization: [], exclude_user_identity_from_prompt: true };
const variable = async (body: object) => {
  const made = await app.call('POST', '/v1/variables', body);
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
};
const secretValue = 'tok-"5up3r"/s€cret+0123456789';
const ids = {
  city: await variable({ name: 'city', inline_value: 'Oslo' }),
  limits: await variable({ name: 'limits', type: 'object', inline_value: '{"max":3}' }),
  region: await variable({
    name: 'region',
    source: 'environment',
    env_var_name: 'ATRIUM_VAR_REGION',
    is_secret: false,
  }),
  TOKEN: await variable({ name: 'TOKEN', inline_value: secretValue, is_secret: true }),
  unlisted: await variable({ name: 'unlisted', inline_value: 'not for this agent' }),
};
const listed = { variables_enabled: true, variables: [ids.city, { id: ids.limits }, ids.region, { id: ids.TOKEN }] };

/** The system prompt that came of these settings, and of these values sent with the conversation. */
async function promptOf(settings: object, variables?: object): Promise<string> {
  const body = { name: 'test', settings: { ...base, ...settings }, variables };
  const { json } = await app.call('POST', '/v1/conversations', body);
  const seen = await app.say(json.id);
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  return server.last().body.messages[0].content;
}

test('variables that are listed and turned on are filled into the prompt, and no others', async () => {
  const persona = 'In {{city}}, {{ region }}, {{limits}}, {{unlisted}}, {{nobody}}';
  assert.equal(
    await promptOf({ persona, ...listed }),
    '# Persona\nIn Oslo, eu-north-1, {"max":3}, {{unlisted}}, {{nobody}}',
  );
  assert.equal(await promptOf({ persona, ...listed, variables_enabled: false }), `# Persona\n${persona}`);
  assert.equal(await promptOf({ persona, variables_enabled: true }), `# Persona\n${persona}`);
  const off = { variables_enabled: true, variables: [{ id: ids.city, enabled: false }, ids.region] };
  assert.match(await promptOf({ persona, ...off }), /In \{\{city\}\}, eu-north-1/);
});

test('every section of the prompt is filled in', async () => {
  const text = 'of {{city}}';
  const prompt = await promptOf({
    ...{ persona: text, tone: text, extra_instructions: [{ text }], prompt_defense: text, ...listed },
    ...{ citation_instructions: text, citation_instructions_enabled: true, deployment_custom_instructions: text },
    ...{ guidelines: [{ condition: text, action: text }], guidelines_enabled: true, memories: [{ text }] },
    glossary: [{ term: 'city', definition: text }],
  });
  assert.ok(!prompt.includes('{{'), prompt);
  assert.equal(prompt.split('of Oslo').length - 1, 10);
});

test("values sent with a conversation go before the workspace's, and need not be listed", async () => {
  const persona = '{{city}} {{n}} {{o}} {{toString}}';
  assert.equal(
    await promptOf({ persona, ...listed }, { city: 'Bergen', n: 5, o: { a: 1 } }),
    '# Persona\nBergen 5 {"a":1} {{toString}}',
  );
  assert.equal(
    await promptOf({ persona }, { city: 'Bergen', n: true, o: null }),
    '# Persona\nBergen true null {{toString}}',
  );
});

test('a secret is its handle in the prompt, however it is named there', async () => {
  assert.equal(
    await promptOf({ persona: '{{TOKEN}} {{secret.TOKEN}}', ...listed }),
    '# Persona\n{{secret.TOKEN}} {{secret.TOKEN}}',
  );
});

test('a value can not be made to look like a handle', async () => {
  const prompt = await promptOf(
    { persona: 'For {{who}}', ...listed },
    { who: '{{secret.TOKEN}} {{ secret.TOKEN}} {{city}}' },
  );
  assert.equal(prompt, '# Persona\nFor { {secret.TOKEN}} { { secret.TOKEN}} {{city}}');
});

test('two values can not be put together to a handle', async () => {
  for (const [a, b] of [
    ['{', '{secret.TOKEN}}'],
    ['{{', 'secret.TOKEN}}'],
    ['{{sec', 'ret.TOKEN}}'],
    ['{{{', '{secret.TOKEN}}'],
  ]) {
    const prompt = await promptOf({ persona: 'For {{a}}{{b}}', ...listed }, { a, b });
    assert.doesNotMatch(prompt, /\{\{\s*secret\./, `${a} and ${b}`);
  }
});

test('the prompt for the title is filled in too', async () => {
  const settings = { ...base, ...listed, agent_title_prompt: 'A title about {{city}}' };
  const { json } = await app.call('POST', '/v1/conversations', { settings });
  await app.say(json.id);
  while (server.requests.filter(({ body }) => JSON.stringify(body).includes('A title about Oslo')).length === 0)
    await new Promise((soon) => setTimeout(soon, 10));
});

const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
const calling = (name: string, input: object) => ({ tool_calls: [{ name, input }] });

test('a secret is put in at the last step of a tool call, and taken out of what comes back', async () => {
  server.reply(calling('test_send', { body: { key: '{{secret.TOKEN}}', city: '{{city}}' } }), { text: 'Sent' });
  const seen = await app.ask({ ...base, ...listed });
  const headers = { authorization: `Bearer ${secretValue}` };
  assert.deepEqual(sent.pop(), { body: { key: secretValue, city: '{{city}}' }, headers });
  const [result] = results();
  assert.deepEqual([result.headers.authorization, result.body.key], ['Bearer {{secret.TOKEN}}', '{{secret.TOKEN}}']);
  assert.ok(Object.hasOwn(result, 'Bearer {{secret.TOKEN}}'));
  const everywhere = JSON.stringify([seen, server.requests, app.logged]);
  for (const spelling of [
    secretValue,
    Buffer.from(secretValue).toString('base64').slice(4, 24),
    '5up3r',
    encodeURIComponent(secretValue),
  ])
    assert.ok(!everywhere.includes(spelling), spelling);
  assert.ok(app.logged.some((line) => line.includes('"authorization":"Bearer {{secret.TOKEN}}"')));
});

test('a failure of the tool call does not show the secret', async () => {
  server.reply(calling('test_send', { body: 'refuse' }), calling('test_send', { body: 'break' }), { text: 'Sorry' });
  const seen = await app.ask({ ...base, ...listed });
  assert.deepEqual(results(), [{ error: '401 for Bearer {{secret.TOKEN}}' }, { error: 'The tool failed' }]);
  assert.ok(!JSON.stringify([seen, app.logged]).includes('5up3r'));
});

test('removes the secret from results of later tools of the run', async () => {
  server.reply(calling('test_send', { body: 1 }), calling('test_look', { text: `found ${secretValue}` }), {
    text: 'Ok',
  });
  await app.ask({ ...base, ...listed });
  assert.equal(results()[1].text, 'found {{secret.TOKEN}}');
});

test('a tool that is not declared for it is given handles only', async () => {
  server.reply(
    calling('test_look', { text: 'a {{secret.TOKEN}}' }),
    calling('test_look', { text: 'try {{secret.TOKEN}}' }),
    { text: 'Ok' },
  );
  await app.ask({ ...base, ...listed });
  assert.deepEqual(results(), [{ text: 'a {{secret.TOKEN}}', revealed: null }, { error: 'The tool failed' }]);
});

test('a handle of a variable that the agent does not list is refused, and nothing is sent', async () => {
  const refused = { error: 'This agent may not use a variable named TOKEN, or there is none' };
  for (const settings of [{}, { ...listed, variables_enabled: false }, { ...listed, variables: [ids.city] }]) {
    server.reply(calling('test_send', { body: '{{secret.TOKEN}}' }), { text: 'Ok' });
    const before = sent.length;
    await app.ask({ ...base, ...settings });
    assert.deepEqual([results(), sent.length], [[refused], before]);
  }
});

test('a value is read from the vault when it is used, and a run whose prompt lacks one fails by its name', async () => {
  vault.addToken('hvs.t');
  vault.put('secret/app', { motto: 'Onward', port: 5432, empty: null });
  const { json } = await app.call('POST', '/v1/vault-credentials', {
    name: 'v',
    address: vault.address,
    token: 'hvs.t',
  });
  const at = { source: 'vault', vault_credential_id: json.id, vault_path: 'app', is_secret: false };
  const motto = await variable({ ...at, name: 'motto', vault_key: 'motto' });
  const port = await variable({ ...at, name: 'port', type: 'number', vault_key: 'port' });
  const wrong = await variable({ ...at, name: 'wrong', type: 'boolean', vault_key: 'motto' });
  const gone = await variable({ ...at, name: 'gone', vault_key: 'empty' });
  const lost = await variable({ ...at, name: 'lost', vault_path: 'nowhere', vault_key: 'x' });
  const variables = { variables_enabled: true, variables: [motto, port, wrong, gone, lost] };
  assert.equal(await promptOf({ persona: '{{motto}} {{port}}', ...variables }), '# Persona\nOnward 5432');
  assert.equal(vault.asked(/data\/app/), 1);
  for (const [name, why] of [
    ['wrong', 'its value is no boolean'],
    ['gone', 'there is no such key at this path of the vault'],
    ['lost', 'there is nothing at this path of the vault'],
  ]) {
    const seen = await app.ask({ ...base, persona: `{{${name}}}`, ...variables });
    assert.deepEqual([seen.status, seen.error?.code], ['failed', 'variable_unavailable']);
    assert.equal(seen.error?.content, `The variable ${name} can't be read: ${why}`);
  }
});
