import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { z } from 'zod';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { lookNow, until } from '../insights/testing.ts';
import { defineTool } from '../tools/service.ts';

/**
 * Every path by which text reaches a model. Each path inserts these values and checks what the provider was sent. A new
 * path needs a row here; a path that bypasses the anonymizer sends the values and fails.
 */
const values = {
  email: 'hidden.person@corp-mail.com',
  card: '4111 1111 1111 1111',
  phone: '+1 415-555-2671',
};
const all = `mail ${values.email}, card ${values.card}, phone ${values.phone}`;
const raw = [values.email, values.card, '4111111111111111', values.phone, '415-555-2671'];

let told: unknown;
const lookup = defineTool({
  tool: 'test_lookup',
  description: 'Looks people up',
  input: z.object({ who: z.string() }),
  output: z.unknown(),
  repeatable: true,
  async run(_, input) {
    told = input;
    return { note: `line one\n${all}`, card: 4111111111111111 };
  },
});

const models_file = join(tmpdir(), `tiny-models-${process.pid}.json`);
after(() => rmSync(models_file, { force: true }));
const tiny = { provider: 'openai-compatible', model: 'two', context_window: 3000, max_output_tokens: 300 };
writeFileSync(models_file, JSON.stringify([tiny]));
const app = await scriptedApp(
  { models_file, image_model: 'p1/one', roles: ['http', 'worker'], db_pool: 8 },
  { tools: [lookup] },
);
const { server, name } = await app.provider();
const { server: spare, name: spareName } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };

const sent = (from: number, provider = server) => provider.requests.slice(from).map(({ body }) => JSON.stringify(body));
const upload = (text: string, file = 'notes.txt') => ({
  files: [{ name: file, type: 'text/plain', b64_content: Buffer.from(text).toString('base64') }],
});
const verdict = (severity: string): Reply => ({
  text: JSON.stringify({ flagged: severity !== 'none', severity, reason: `It speaks of <EMAIL_ADDRESS_1>` }),
});

interface Path {
  path: string;
  /** Performs the path and returns what the user sees in the end. */
  go(): Promise<string>;
  /** The least number of requests. */
  requests: number;
  /** Whether the user sees the values. */
  shows?: false;
}

/** Repeats the message, as far as the model knows it. */
const echo = (body: { messages: { role: string; content: unknown }[] }): string => {
  const asked = body.messages.findLast(({ role }) => role === 'user')?.content;
  return typeof asked === 'string' ? asked : JSON.stringify(asked);
};
const echoing = (body: Parameters<typeof echo>[0]) => ({ text: `You said: ${echo(body)}`, deltas: 40 });

const paths: Path[] = [
  {
    path: 'a text that a workflow generates',
    requests: 1,
    async go() {
      const node = (id: string, type: string, node_config: object) => ({ id, type, node_config });
      const definition = {
        nodes: [
          node('in', 'InputNode', { label: 'in' }),
          node('gen', 'TextGenerationNode', {
            template: 'Say: ((in))',
            system: 'As told: ((in))',
            model: [`${name}/one`],
          }),
          node('out', 'OutputNode', { label: 'out' }),
        ],
        edges: [
          {
            from_id: { node_id: 'in', connector_name: 'output' },
            to_id: { node_id: 'gen', connector_name: 'variables', key: 'in' },
          },
          {
            from_id: { node_id: 'gen', connector_name: 'output' },
            to_id: { node_id: 'out', connector_name: 'input' },
          },
        ],
      };
      const { json } = await app.call('POST', '/v1/workflows', { definition });
      const run = await app.call('POST', `/v1/workflows/${json.id}/runs/sync?output_only=true`, { input: { in: all } });
      return run.json.out.text;
    },
  },
  { path: 'a message', requests: 1, go: async () => (await app.ask(base, all)).shown },
  {
    path: 'addresses in disguise',
    requests: 1,
    async go() {
      const from = server.requests.length;
      const written = [
        'kim%40corp.example',
        'kim&#64;corp.example',
        'kim [at] corp.example',
        'kim (at) corp dot example',
      ];
      const { shown } = await app.ask(base, `${written.join(' or ')}: ${all}`);
      // Every value comes back as it was written, and none was sent.
      for (const value of written) assert.ok(shown.includes(value), value);
      for (const body of sent(from)) assert.doesNotMatch(body, /kim|corp/);
      return shown;
    },
  },
  {
    path: 'the history of a conversation',
    requests: 2,
    async go() {
      const id = await app.converse(base);
      await app.say(id, all);
      server.answers = () => ({ text: 'I know <EMAIL_ADDRESS_1>, <CREDIT_CARD_1>, <PHONE_NUMBER_1>', deltas: 30 });
      return (await app.say(id, 'What do you know?')).shown;
    },
  },
  ...(['persona', 'tone', 'extra_instructions', 'deployment_custom_instructions', 'prompt_defense'] as const).map(
    (key): Path => ({
      path: `a value that came with the conversation, filled into the setting ${key}`,
      requests: 1,
      shows: false,
      async go() {
        const settings = { ...base, [key]: 'They say {{about}}.' };
        const body = { name: 'test', settings, variables: { about: all } };
        const { json } = await app.call('POST', '/v1/conversations', body);
        return (await app.say(json.id)).shown;
      },
    }),
  ),
  {
    path: 'values filled into glossary, guidelines, guardrails and the description of a tool',
    requests: 1,
    shows: false,
    async go() {
      server.answers = (body) => (body['response_format'] ? verdict('none') : undefined);
      const settings = {
        ...base,
        glossary: [{ term: 'us', definition: '{{about}}' }],
        guidelines_enabled: true,
        guidelines: [{ condition: '{{about}}', action: '{{about}}' }],
        toxicity: { value: 'High', context: 'Spare {{about}}' },
        tools: [{ type: 'test', extra_instructions: 'Ask for {{about}}' }],
      };
      const body = { name: 'test', settings, variables: { about: all } };
      const { json } = await app.call('POST', '/v1/conversations', body);
      const from = server.requests.length;
      const { shown } = await app.say(json.id);
      assert.match(sent(from).at(-1) as string, /Ask for mail <EMAIL_ADDRESS_1>/);
      return shown;
    },
  },
  {
    path: 'memories',
    requests: 1,
    shows: false,
    go: async () => (await app.ask({ ...base, memories: [{ text: all }] })).shown,
  },
  {
    path: 'the text of a file, and its name',
    requests: 1,
    shows: false,
    go: async () => (await app.say(await app.converse(base), 'Read', upload(all, `${values.email}.txt`))).shown,
  },
  {
    path: 'the results and the arguments of a tool',
    requests: 2,
    async go() {
      server.answers = undefined;
      server.reply({ tool_calls: [{ name: 'test_lookup', input: { who: '<EMAIL_ADDRESS_1>' } }] });
      server.reply({ text: 'Found <EMAIL_ADDRESS_1>, <CREDIT_CARD_1> and <PHONE_NUMBER_1>', deltas: 30 });
      const { shown } = await app.ask(base, `Look up ${values.email}`);
      assert.deepEqual(told, { who: values.email }, 'the tool got a placeholder');
      return shown;
    },
  },
  {
    path: 'the files and memories that tools read, and the prompt of an image',
    requests: 6,
    async go() {
      server.answers = undefined;
      const types = ['memory', 'image_generation'].map((type) => ({ type, enabled: true }));
      const id = await app.converse({ ...base, base_tools: types, parallel_tool_calls: false });
      const said = 'mail <EMAIL_ADDRESS_1>, card <CREDIT_CARD_1>, phone <PHONE_NUMBER_1>';
      const turns: [tool: string, input: object][][] = [
        [['filesystem_search', { query: 'mail card phone' }]],
        [
          ['memory_remember', { text: said }],
          ['memory_recall', { query: 'mail' }],
        ],
        [['image_generation_make', { prompt: said }]],
      ];
      let shown = '';
      for (const calls of turns) {
        server.reply({ tool_calls: calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input })) });
        server.reply({ text: said });
        shown = (await app.say(id, all, upload(all))).shown;
      }
      const painted = server.requests.filter(({ path }) => path.endsWith('/images/generations'));
      assert.equal(painted.length, 1, 'no image was asked for');
      return shown;
    },
  },
  {
    path: 'what people say of a tool call, and to a question of the agent',
    requests: 4,
    shows: false,
    async go() {
      server.answers = undefined;
      const over = async (id: string) => {
        for (let tries = 0; tries < 3000; tries++) {
          const { status } = (await app.call('GET', `/v1/conversations/${id}`)).json;
          if (status === 'completed') return;
          await new Promise((later) => setTimeout(later, 20));
        }
        throw new Error('It did not end');
      };
      server.reply({ tool_calls: [{ name: 'test_lookup', input: { who: 'x' } }] }, { text: 'Then not' });
      const one = await app.ask({ ...base, tools: [{ type: 'test', requires_approval: true }] });
      const at = `/v1/conversations/${one.id}/approvals`;
      const { json } = await app.call('GET', at);
      await app.call('POST', `${at}/${json.items[0].id}`, { decision: 'reject', note: all });
      await over(one.id);
      server.reply({ tool_calls: [{ name: 'human_in_the_loop_ask', input: { question: 'Who?' } }] }, { text: 'Ah' });
      const two = await app.ask({ ...base, base_tools: [{ type: 'human_in_the_loop', enabled: true }] });
      await app.call('POST', `/v1/conversations/${two.id}/human`, { content: all });
      await over(two.id);
      return '';
    },
  },
  {
    path: 'the title of a conversation',
    requests: 2,
    async go() {
      const { json } = await app.call('POST', '/v1/conversations', { settings: base });
      server.answers = (body) =>
        JSON.stringify(body).includes('title') ? { text: 'About <EMAIL_ADDRESS_1>' } : echoing(body as never);
      await app.say(json.id, all);
      for (let tries = 0; tries < 3000; tries++) {
        const { name: title } = (await app.call('GET', `/v1/conversations/${json.id}`)).json;
        if (title !== 'New conversation') return `${title} ${values.card} ${values.phone}`;
        await new Promise((later) => setTimeout(later, 20));
      }
      throw new Error('There is no title');
    },
  },
  {
    path: 'the summary of older messages',
    requests: 4,
    shows: false,
    async go() {
      const long = `${all} ${'and more words '.repeat(150)}`;
      const id = await app.converse({ ...base, model: [`${name}/two`], max_tokens: 200 });
      server.answers = (body) => ({
        text: JSON.stringify(body).includes('Summarize') ? `About ${'<EMAIL_ADDRESS_1>'}` : 'Yes',
      });
      for (let turn = 0; turn < 4; turn++) await app.say(id, long);
      assert.ok(
        sent(0).some((body) => body.includes('Summarize')),
        'nothing was summarized',
      );
      return '';
    },
  },
  {
    path: 'guardrails on what is said, on what tools find and on the reply',
    requests: 6,
    shows: false,
    async go() {
      server.answers = (body) => (body['response_format'] ? verdict('low') : undefined);
      server.reply({ tool_calls: [{ name: 'test_lookup', input: { who: '<EMAIL_ADDRESS_1>' } }] });
      server.reply({ text: 'Found <EMAIL_ADDRESS_1> and <CREDIT_CARD_1>' });
      const settings = { ...base, toxicity: 'High', prompt_injection: true, guardrails_scan_output: true };
      const seen = await app.ask({ ...settings, guardrail_action: 'warn' }, all);
      assert.equal(seen.status, 'completed');
      const { json } = await app.call('GET', `/v1/conversations/${seen.id}/violations`);
      assert.ok(json.items.length > 0);
      for (const one of raw) assert.ok(!JSON.stringify(json).includes(one), `a violation tells ${one}`);
      for (const one of raw) assert.ok(!JSON.stringify(seen.metadata).includes(one), `the metadata tells ${one}`);
      return '';
    },
  },
  {
    path: 'the next model when the first fails',
    requests: 1,
    async go() {
      server.answers = () => ({ status: 500 });
      spare.answers = (body) => echoing(body as never);
      const from = spare.requests.length;
      const { shown } = await app.ask({ ...base, model: [`${name}/one`, `${spareName}/one`] }, all);
      for (const body of sent(from, spare)) for (const one of raw) assert.ok(!body.includes(one), `${one} was sent`);
      return shown;
    },
  },
  {
    path: 'a message that is edited and answered again',
    requests: 3,
    async go() {
      const id = await app.converse(base);
      const { conversation } = await app.say(id, all);
      const message = conversation.messages[0].id;
      await app.call('POST', `/v1/conversations/${id}/messages/${message}/edit`, { content: `Now ${all}` });
      const { json } = await app.call('GET', `/v1/conversations/${id}`);
      const reply = json.messages.at(-1).id;
      await app.call('POST', `/v1/conversations/${id}/messages/${reply}/regenerate`);
      return (await app.stored(id)).text;
    },
  },
  {
    path: 'the chat completions of another client, with the history it brings along',
    requests: 1,
    async go() {
      const agent = await app.call('POST', '/v1/agents', { name: `A${Date.now()}`, definition: base });
      const messages = [
        { role: 'user', content: all },
        { role: 'assistant', content: `You are ${values.email}` },
        { role: 'user', content: all },
      ];
      const { json } = await app.call('POST', '/v1/chat/completions', { model: `agent:${agent.json.id}`, messages });
      return json.choices[0].message.content;
    },
  },
  {
    path: 'what one agent asks another, and what it answers',
    requests: 3,
    async go() {
      server.answers = undefined;
      const made = async (name: string, more: object) =>
        (await app.call('POST', '/v1/agents', { name, definition: { ...base, ...more } })).json.id as string;
      const helper = await made('Helper', {});
      const boss = await made('Boss', { coworkers: [helper] });
      const known = '<EMAIL_ADDRESS_1>, <CREDIT_CARD_1> and <PHONE_NUMBER_1>';
      server.reply({ tool_calls: [{ name: 'coworker_Helper', input: { message: `Who is ${known}?` } }] });
      server.reply({ text: `I know ${known}` }, { text: `It is ${known}` });
      return (await app.say(await app.converse({}, `?assistant_id=${boss}`), all)).shown;
    },
  },
  {
    path: "what is asked about a conversation that is over: topics, satisfaction, questions of one's own",
    requests: 1,
    shows: false,
    async go() {
      const definition = {
        ...{ ...base, insights_enabled: true, insights_csat_enabled: true, insights_csat_auto_enabled: true },
        insights_custom_definitions: [{ name: 'who', question: 'Who is it?', type: 'string' }],
      };
      const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Insights', definition });
      const id = await app.converse({}, `?assistant_id=${agent.id}`);
      await app.say(id, all);
      server.answers = () => ({ text: '{"topics": [], "score": 3, "reason": "-", "a1": null}' });
      const from = spare.requests.length;
      spare.answers = server.answers;
      await lookNow(app);
      for (const body of sent(from, spare)) for (const one of raw) assert.ok(!body.includes(one), `${one} was sent`);
      return '';
    },
  },
  {
    path: 'a case of an evaluation, and its judge',
    requests: 1,
    shows: false,
    async go() {
      const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Evaluated', definition: base });
      const cases = [{ messages: [all], expected: all, criteria: `It names ${values.email}` }];
      const set = await app.call('POST', '/v1/evaluations', { name: 'Set', agent_id: agent.id, cases });
      const from = spare.requests.length;
      const run = await app.call('POST', `/v1/evaluations/${set.json.id}/runs`, {});
      await until(
        async () => (await app.call('GET', `/v1/evaluations/${set.json.id}/runs/${run.json.id}`)).json.status,
        (status) => status === 'completed',
      );
      for (const body of sent(from, spare)) for (const one of raw) assert.ok(!body.includes(one), `${one} was sent`);
      return '';
    },
  },
  {
    path: 'a guardrail that is tried at /v1/safety/check',
    requests: 1,
    shows: false,
    async go() {
      server.answers = () => verdict('none');
      const from = server.requests.length + spare.requests.length;
      spare.answers = () => verdict('none');
      const { status } = await app.call('POST', '/v1/safety/check', {
        text: all,
        settings: { toxicity: { value: 'High', context: `Spare ${all}` } },
      });
      assert.equal(status, 200);
      assert.ok(server.requests.length + spare.requests.length > from);
      for (const body of sent(0, spare)) for (const one of raw) assert.ok(!body.includes(one), `${one} was sent`);
      return '';
    },
  },
];

suite('no private value reaches a provider, and people see them all', () => {
  for (const { path, go, requests, shows } of paths)
    test(`pii_anonimization holds for ${path}`, async () => {
      server.answers = (body) => echoing(body as never);
      const from = server.requests.length;
      const seen = await go();
      const bodies = sent(from);
      if (path !== 'a guardrail that is tried at /v1/safety/check')
        assert.ok(bodies.length >= requests, `${bodies.length} requests`);
      for (const body of bodies) for (const one of raw) assert.ok(!body.includes(one), `${one} was sent: ${body}`);
      if (shows === undefined)
        for (const one of Object.values(values)) assert.ok(seen.includes(one), `${one} is not in ${seen}`);
      assert.doesNotMatch(seen, /<(?:EMAIL_ADDRESS|CREDIT_CARD|PHONE_NUMBER)_\d/);
    });

  test('hides a day and month alone, a network with its mask and a number without its plus', async () => {
    server.answers = undefined;
    const pii_anonimization = ['DATE_TIME', 'IP_ADDRESS', 'PHONE_NUMBER'];
    const text = 'Born on 27 May, from 10.20.0.0/16, call 49 30 901820';
    const { shown } = await app.ask({ ...base, pii_anonimization }, text);
    assert.ok(shown);
    assert.match(sent(0).at(-1) as string, /Born on <DATE_TIME_1>, from <IP_ADDRESS_1>, call <PHONE_NUMBER_1>/);
  });

  test('anonymizes only the listed entities, and nothing with an empty list', async () => {
    server.answers = undefined;
    await app.ask({ ...base, pii_anonimization: ['EMAIL_ADDRESS'] }, all);
    assert.ok(!sent(0).at(-1)?.includes(values.email) && sent(0).at(-1)?.includes(values.phone));
    await app.ask({ ...base, pii_anonimization: [] }, all);
    assert.ok(sent(0).at(-1)?.includes(values.email));
  });

  test('stores the values of placeholders sealed, and deletes them with their conversation', async () => {
    server.answers = undefined;
    const { id } = await app.ask(base, all);
    const kept = () => app.query('select sealed from conversation_placeholders where conversation_id = $1', [id]);
    const [{ sealed }] = await kept();
    assert.match(sealed, /^box1\./);
    assert.equal((await app.call('DELETE', `/v1/conversations/${id}`)).status, 200);
    assert.equal((await kept()).length, 0);
  });

  test('logs nothing private', () => {
    for (const one of raw) assert.ok(!app.logged.join('\n').includes(one), one);
  });
});
