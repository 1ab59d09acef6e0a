import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import { lockNames } from '@atrium/contract/settings/locks.ts';
import { type SettingName, settingKeys } from '@atrium/contract/settings/settings.ts';
import { channelApp, eventually } from '../channels/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';
import { type RightsSampleIds, rightsSamples, type Sample } from './rights-samples.ts';

const { call, workspace, query } = await channelApp();

const callers = {
  agents_run: ['agents_run'],
  'agents_run and conversations_read': ['agents_run', 'conversations_read'],
  agents_edit: ['agents_run', 'agents_edit'],
  admin: ['workspace_admin'],
} as const;
type Caller = keyof typeof callers;
const mayEdit = (caller: Caller) => caller === 'agents_edit' || caller === 'admin';

const names = Object.keys(settingKeys) as SettingName[];
const keys = {} as Record<Caller, string>;
let samples: Map<SettingName, Sample>;
/** Agents whose every key has its looser value, or its stricter one. */
let agents: { loose: string; strict: string; locked: string };

before(async () => {
  const { id: group, key } = await workspace();
  const made = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await call('POST', path, body, { key, headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  for (const [caller, permissions] of Object.entries(callers))
    keys[caller as Caller] = (
      await call('POST', `/v1/admin/groups/${group}/api-keys`, { name: caller, permissions })
    ).json.value;
  const boundary = 'b';
  const file = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n`;
  const ids: RightsSampleIds = {
    knowledge_base: (await made('/v1/knowledge-bases', { name: 'K' })).id,
    workflow: (
      await made('/v1/workflows', {
        name: 'W',
        type: 'agent_flow',
        definition: { nodes: [aNode('end', 'AgentEndNode')] },
      })
    ).id,
    agent: (await made('/v1/agents', { name: 'Other' })).id,
    table: (await made('/v1/tables', { name: 'T', columns: [{ name: 'a', type: 'text' }] })).id,
    variable: (await made('/v1/variables', { name: 'v', inline_value: 'x' })).id,
    file: (await made('/v1/files', file, { 'content-type': `multipart/form-data; boundary=${boundary}` })).id,
  };
  await made('/v1/variables', { name: 'CRM', inline_value: 'postgresql://u:p@db.example/x' });
  samples = rightsSamples(ids);
  const definition = (side: 'loose' | 'strict') =>
    Object.fromEntries(
      // Locks would refuse all further changes, so they are tested on a separate agent.
      [...samples].filter(([name]) => !lockNames.includes(name as never)).map(([name, sample]) => [name, sample[side]]),
    );
  const locks = Object.fromEntries(lockNames.map((lock) => [lock, true]));
  const agent = async (of: object) => (await made('/v1/agents', { name: 'A', definition: of })).id as string;
  agents = {
    loose: await agent(definition('loose')),
    strict: await agent(definition('strict')),
    locked: await agent(locks),
  };
});

type Answer = Awaited<ReturnType<typeof call>>;
const start = (caller: Caller, agent: string, body: object) =>
  call('POST', `/v1/conversations?assistant_id=${agent}`, body, { key: keys[caller] });

/** The ways on which a caller sends settings itself. */
const ways: Record<string, (caller: Caller, agent: string, settings: object) => Promise<Answer>> = {
  create: (caller, agent, settings) => start(caller, agent, { settings }),
  async patch(caller, agent, settings) {
    const { json } = await start(caller, agent, {});
    return call('PATCH', `/v1/conversations/${json.id}`, { settings }, { key: keys[caller] });
  },
  preview: (caller, agent, settings) => start(caller, agent, { settings, preview: true }),
};

function requireAnswer(answer: Answer, lacking: string | null, what: string): void {
  if (lacking === null) {
    assert.equal(answer.status, 200, `${what}: ${answer.text}`);
    return;
  }
  assert.deepEqual([answer.status, answer.json.code], [403, 'setting_forbidden'], `${what}: ${answer.text}`);
  assert.ok(answer.json.detail.includes(lacking), `${what}: ${answer.json.detail}`);
}

test('every key has a class and values to try it with', () => {
  for (const name of names) {
    assert.ok(settingKeys[name].class, name);
    assert.ok(samples.has(name), `${name} has no sample in rights-samples.ts`);
  }
});

/** Every key when a conversation is made. All ways ask one module, so that others try a key of each kind. */
function samplesFor(way: string): [SettingName, Sample][] {
  if (way === 'create') return [...samples];
  const kindOf = ([name, { needs }]: [SettingName, Sample]) =>
    [settingKeys[name].class, settingKeys[name].stricter !== undefined, needs].join();
  const tried = [...samples].filter(([name]) => !lockNames.includes(name as never));
  return [...new Map(tried.map((entry) => [kindOf(entry), entry])).values()];
}

for (const caller of Object.keys(callers) as Caller[])
  for (const [way, send] of Object.entries(ways)) {
    // Refused whatever it changes, see below.
    if (way === 'preview' && !mayEdit(caller)) continue;

    test(`${caller} by ${way}: a change that is not stricter is allowed as the class of the key says`, async () => {
      for (const [name, { loose, needs }] of samplesFor(way)) {
        if (lockNames.includes(name as never)) continue;
        const isFree = settingKeys[name].class === 'presentation';
        const lacking =
          isFree || caller === 'admin'
            ? null
            : mayEdit(caller)
              ? needs && `${name} needs ${needs}`
              : `${name} needs agents_edit`;
        requireAnswer(
          await send(caller, agents.strict, { [name]: loose }),
          lacking ?? null,
          `${caller} ${way} ${name}`,
        );
      }
    });

    test(`${caller} by ${way}: a stricter change is allowed for every key that has a direction`, async () => {
      for (const [name, { strict }] of samplesFor(way)) {
        if (!settingKeys[name].stricter) continue;
        requireAnswer(await send(caller, agents.loose, { [name]: strict }), null, `${caller} ${way} ${name}`);
      }
    });

    test(`${caller} by ${way}: no lock is turned off`, async () => {
      for (const lock of lockNames) {
        const { status } = await send(caller, agents.locked, { [lock]: false });
        assert.equal(status, 403, `${caller} ${way} ${lock}`);
      }
    });
  }

test('a preview needs agents_edit, whichever of its keys it changes', async () => {
  const kinds = [...samples].map(([name, sample]) => ({ name, ...sample, ...settingKeys[name] }));
  const free = kinds.find((kind) => kind.class === 'presentation');
  const directed = kinds.find(({ stricter }) => stricter);
  assert.ok(free && directed);
  for (const caller of ['agents_run', 'agents_run and conversations_read'] as const)
    for (const settings of [{}, { [free.name]: free.loose }, { [directed.name]: directed.strict }]) {
      const answer = await start(caller, agents.loose, { settings, preview: true });
      requireAnswer(answer, 'preview needs agents_edit', `${caller} ${JSON.stringify(settings)}`);
    }
});

/** Every key with its looser value, as a caller would try to slip it in. */
const everyKey = () => Object.fromEntries([...samples].map(([name, { loose }]) => [name, loose]));
const settingsOf = async (id: string) =>
  (await call('GET', `/v1/conversations/${id}`, undefined, { key: keys.admin })).json.settings;
const expected = async () => settingsOf((await start('admin', agents.strict, {})).json.id);
/** Keys that the chat completions protocol has a word for, and what they replace of a preset. */
const spoken: readonly string[] = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'parameter_preset',
  'top_k',
];

for (const caller of Object.keys(callers) as Caller[])
  test(`${caller} by completions: no key but sampling is changed, and max_tokens is not raised`, async () => {
    const body = {
      ...everyKey(),
      ...{
        settings: everyKey(),
        definition: everyKey(),
        tools: undefined,
        model: `agent:${agents.strict}`,
        stop: ['x'],
      },
      ...{ temperature: 1.5, max_tokens: 999_999, messages: [{ role: 'user', content: 'Hello' }] },
    };
    const answer = await call('POST', '/v1/chat/completions', body, { key: keys[caller] });
    const [row] = await query("select id from conversations where chat_transport = 'openai' order by id desc limit 1");
    assert.ok(row, answer.text);
    const [was, will] = [await expected(), await settingsOf(row.id)];
    for (const name of names)
      if (!spoken.includes(name) && name !== 'stop_sequences')
        assert.deepEqual(will[name], was[name], `${caller} ${name}`);
    assert.equal(will.temperature, 1.5);
  });

test('by a channel: what a visitor sends along changes no key', async () => {
  const config = { reply_url: 'https://replies.example/hook' };
  const { json: made } = await call(
    'POST',
    `/v1/agents/${agents.strict}/deployments`,
    { channel: 'webhook', config },
    { key: keys.admin },
  );
  const secret = Buffer.from(made.made_secrets.signing_secret.slice('whsec_'.length), 'base64');
  const body = JSON.stringify({ thread: 't', text: 'Hello', ...everyKey(), settings: everyKey(), preview: true });
  const at = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac('sha256', secret).update(`m1.${at}.${body}`).digest('base64')}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'm1',
    'webhook-timestamp': at,
    'webhook-signature': signature,
  };
  await call('POST', made.inbound_path, body, { key: null, headers });
  const found = async () => (await query('select id from conversations where deployment_id = $1', [made.id]))[0];
  const { id } = await eventually(found, 'the conversation');
  const [was, will] = [await expected(), await settingsOf(id)];
  for (const name of names) assert.deepEqual(will[name], was[name], name);
});

test('by a flow node: what the config of a node says besides changes no key', async () => {
  const config = { ...everyKey(), agent_id: agents.strict, settings: everyKey(), preview: true };
  const nodes = [
    aNode('in', 'InputNode', { label: 'Q' }),
    aNode('ask', 'AgentCallNode', config),
    aNode('out', 'OutputNode', { label: 'A' }),
  ];
  const definition = { nodes, edges: ['in.output -> ask.message', 'ask.output -> out.input'].map(anEdge) };
  const made = await call('POST', '/v1/workflows', { name: 'Asks', definition }, { key: keys.admin });
  assert.equal(made.status, 200, made.text);
  await call('POST', `/v1/workflows/${made.json.id}/runs`, { input: { Q: 'Hello' } }, { key: keys.admin });
  const found = async () => (await query("select id from conversations where chat_transport = 'workflow'"))[0];
  const { id } = await eventually(found, 'the conversation');
  const [was, will] = [await expected(), await settingsOf(id)];
  for (const name of names) assert.deepEqual(will[name], was[name], name);
});
