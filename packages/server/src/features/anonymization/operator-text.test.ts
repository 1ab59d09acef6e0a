import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { defineTool } from '../tools/service.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

/** The same address stands in the operator's text, where it stays, and in the user's, where it is hidden. */
const address = 'kim.larsen@corp-mail.com';
const other = 'jo.hansen@corp-mail.com';
const operators = `Our office is ${address}`;
const asked = `I am ${address}, not ${other}`;
const hidden = 'I am <EMAIL_ADDRESS_1>, not <EMAIL_ADDRESS_2>';

const lookup = defineTool({
  tool: 'test_lookup',
  description: `Asks ${address}`,
  input: z.object({ kim: z.string().describe(`as ${address} says`) }),
  output: z.unknown(),
  repeatable: true,
  run: async (_, input) => ({ [address.replace('@', '_')]: 1, Larsen: address, got: input }),
});

const app = await scriptedApp({ roles: ['http', 'worker'] }, { tools: [lookup] });
const { server, name } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, pii_anonimization: ['EMAIL_ADDRESS'] };

const agentOf = async (definition: object, agent = 'Agent') => {
  const made = await app.call('POST', '/v1/agents', { name: agent, definition: { ...base, ...definition } });
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
};
interface Sent {
  messages: { role: string; content: string }[];
  tools: { function: { name: string; description: string; parameters: { properties: object } } }[];
  stop?: string[];
  response_format?: object;
}
const sentFrom = (from: number) => server.requests.slice(from).map(({ body }) => body as unknown as Sent);
const systemOf = (body: Sent | undefined) => body?.messages.find(({ role }) => role === 'system')?.content ?? '';
const saidIn = (body: Sent | undefined) => body?.messages.findLast(({ role }) => role === 'user')?.content ?? '';

suite("the operator's own text reaches the provider as written", () => {
  test('keeps persona, instructions, guidelines, glossary, tools and stop sequences in a conversation', async () => {
    const from = server.requests.length;
    server.reply({ tool_calls: [{ name: 'test_lookup', input: { kim: '<EMAIL_ADDRESS_2>' } }] });
    server.reply({ text: 'Hello <EMAIL_ADDRESS_2>' });
    const written = ['persona', 'tone', 'extra_instructions', 'deployment_custom_instructions', 'prompt_defense'];
    const settings = {
      ...base,
      ...Object.fromEntries(written.map((key) => [key, `${key}: ${operators}`])),
      guidelines_enabled: true,
      guidelines: [{ condition: `asked for ${address}`, action: `name ${address}` }],
      glossary: [{ term: 'Office', definition: address }],
      memories: [{ text: `Note ${other}` }],
      stop_sequences: [`${address}:`],
    };
    const { shown } = await app.ask(settings, asked);
    assert.equal(shown, `Hello ${address}`);
    const [first, second] = sentFrom(from);
    const system = systemOf(first);
    for (const key of written) assert.ok(system.includes(`${key}: ${operators}`), `${key} in ${system}`);
    assert.ok(system.includes(`When asked for ${address}: name ${address}`));
    assert.ok(system.includes(`Office: ${address}`));
    assert.match(system, /- Note <EMAIL_ADDRESS_\d>/);
    assert.doesNotMatch(system, new RegExp(other));
    const tool = first?.tools.find((one) => one.function.name === 'test_lookup')?.function;
    assert.equal(tool?.description, `Asks ${address}`);
    assert.deepEqual(tool?.parameters.properties, { kim: { type: 'string', description: `as ${address} says` } });
    assert.deepEqual(first?.stop, [`${address}:`]);
    assert.doesNotMatch(saidIn(first), /corp-mail/);
    const result = second?.messages.findLast(({ role }) => role === 'tool')?.content ?? '';
    assert.match(result, /\{"kim\.larsen_corp-mail\.com":1,"Larsen":"<EMAIL_ADDRESS_\d>","got":\{"kim":"<EMAIL_/);
  });

  test('keeps it when the same value has been replaced in the conversation before', async () => {
    const id = await app.converse({ ...base, persona: operators });
    await app.say(id, asked);
    const from = server.requests.length;
    await app.say(id, 'And now?');
    const [body] = sentFrom(from);
    assert.ok(systemOf(body).includes(operators));
    assert.match(JSON.stringify(body?.messages), new RegExp(hidden));
  });

  test('hides a value that came with the conversation where the persona names it, and nothing else of it', async () => {
    const settings = { ...base, persona: `${operators}. The user is {{who}}, of {{place}}.` };
    const body = { name: 'test', settings, variables: { who: `x ${other}`, place: 'Oslo' } };
    const { json } = await app.call('POST', '/v1/conversations', body);
    const from = server.requests.length;
    await app.say(json.id);
    const system = systemOf(sentFrom(from)[0]);
    assert.ok(system.includes(`${operators}. The user is x <EMAIL_ADDRESS_1>, of Oslo.`), system);
  });

  test("keeps the prompts of a workflow's node and hides the values in them", async () => {
    const from = server.requests.length;
    const nodes = [
      aNode('in', 'InputNode', { label: 'in' }),
      aNode('gen', 'TextGenerationNode', {
        ...{ template: `${operators}: ((in))`, system: `${operators} and ((in))`, model: [`${name}/one`] },
        anonymize: ['EMAIL_ADDRESS'],
      }),
      aNode('out', 'OutputNode', { label: 'out' }),
    ];
    const edges = [
      {
        from_id: { node_id: 'in', connector_name: 'output' },
        to_id: { node_id: 'gen', connector_name: 'variables', key: 'in' },
      },
      anEdge('gen.output -> out.input'),
    ];
    const made = await app.call('POST', '/v1/workflows', { definition: { nodes, edges } });
    assert.equal(made.status, 200, made.text);
    server.reply({ text: 'I know <EMAIL_ADDRESS_2>' });
    const run = `/v1/workflows/${made.json.id}/runs/sync?output_only=true`;
    const { json } = await app.call('POST', run, { input: { in: asked } });
    const [body] = sentFrom(from);
    assert.ok(systemOf(body).endsWith(`${operators} and ${hidden}`), systemOf(body));
    assert.equal(saidIn(body), `${operators}: ${hidden}`);
    assert.equal(json.out.text, `I know ${other}`);
    assert.doesNotMatch(JSON.stringify(body), /[\ufdd0\ufdd1]/);
  });

  test("keeps a co-worker's persona and hides what it is asked", async () => {
    await agentOf({ persona: operators }, 'Helper');
    const helper = await agentOf({ persona: `Helper: ${operators}` }, 'Aide');
    const boss = await agentOf({ persona: `Boss: ${operators}`, coworkers: [helper] }, 'Boss');
    const from = server.requests.length;
    server.reply({ tool_calls: [{ name: 'coworker_Aide', input: { message: `Who is ${'<EMAIL_ADDRESS_2>'}?` } }] });
    server.reply({ text: 'It is <EMAIL_ADDRESS_1>' }, { text: 'They say it is <EMAIL_ADDRESS_2>' });
    const { shown } = await app.say(await app.converse({}, `?assistant_id=${boss}`), asked);
    assert.equal(shown, `They say it is ${other}`);
    const bodies = sentFrom(from);
    assert.ok(systemOf(bodies[0]).includes(`Boss: ${operators}`));
    assert.ok(systemOf(bodies[1]).includes(`Helper: ${operators}`));
    assert.equal(saidIn(bodies[1]), 'Who is <EMAIL_ADDRESS_1>?');
    for (const body of bodies) assert.ok(!JSON.stringify(body.messages.slice(1)).includes('corp-mail'));
  });

  test("keeps the agent's text and hides all of a client's: system messages, tools, format, stops", async () => {
    const agent = await agentOf({ persona: operators, stop_sequences: [`${address}:`] }, 'For clients');
    const schema = { type: 'object', properties: { kim: { type: 'string', description: `of ${address}` } } };
    const parameters = { type: 'object', properties: { kim: { type: 'string', enum: [address] } } };
    const complete = (more: object) =>
      app.call('POST', '/v1/chat/completions', {
        model: `agent:${agent}`,
        messages: [
          { role: 'system', content: `Write to ${address}` },
          { role: 'user', content: asked },
        ],
        ...more,
      });
    const from = server.requests.length;
    await complete({
      tools: [{ type: 'function', function: { name: 'mine', description: `Asks ${address}`, parameters } }],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
      stop: ['END', address],
    });
    const [body] = sentFrom(from);
    assert.ok(systemOf(body).includes(operators));
    assert.match(systemOf(body), /> Write to <EMAIL_ADDRESS_\d>/);
    const tools = new Map(body?.tools.map((tool) => [tool.function.name, tool.function]));
    assert.equal(tools.get('test_lookup')?.description, `Asks ${address}`);
    assert.doesNotMatch(JSON.stringify([tools.get('mine'), body?.response_format, saidIn(body)]), /corp-mail/);
    assert.deepEqual(body?.stop, ['END']);
    await complete({});
    assert.deepEqual(sentFrom(from).at(-1)?.stop, [`${address}:`], 'those of the agent stay');
  });
});
