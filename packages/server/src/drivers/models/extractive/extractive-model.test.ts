import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ModelError,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ModelTool,
  plainRequest,
} from '../driver.ts';
import { appendToolHints } from '../tool-hints.ts';
import { makeExtractive } from './extractive-model.ts';

const model = makeExtractive({
  estimateTokens: (text) => Math.ceil(text.length / 4),
  estimateMessages: (messages) => messages.length * 10,
});

const base: ModelRequest = {
  ...plainRequest,
  model: 'extractive',
  system: '',
  messages: [],
  parallel_tool_calls: true,
  max_tokens: 4_000,
};
const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: string[] = [],
): ModelTool => ({
  name,
  description,
  input_schema: { type: 'object', properties, required },
});
const text = { type: 'string' };
const knowledge = tool('knowledge_search', 'Searches the knowledge bases of this agent', { query: text }, ['query']);
const web = tool('web_research_search', 'Searches the web', { query: text }, ['query']);
const clock = tool('clock_now', 'The current date and time', { time_zone: text });
const todoTools = [
  tool('todos_read_todos', 'Reads the list', {}),
  tool('todos_add_todo', 'Adds a to-do', { text, parent_id: text }, ['text']),
  tool('todos_update_todo_status', 'Sets a status', { id: text, status: { enum: ['pending', 'completed'] } }, [
    'id',
    'status',
  ]),
  tool('todos_remove_todo', 'Removes a to-do', { id: text }, ['id']),
];

async function parts(request: Partial<ModelRequest>, signal = new AbortController().signal): Promise<ModelPart[]> {
  return Array.fromAsync(model.stream({ ...base, ...request }, signal));
}
const spoken = (said: readonly ModelPart[]) =>
  said.map((part) => (part.type === 'text' || part.type === 'advice' ? part.text : '')).join('');

type Answers = Record<string, (input: unknown) => unknown>;

/** The loop in small: calls tools until the model has its answer. */
async function ask(request: Partial<ModelRequest>, answers: Answers = {}) {
  const messages = [...(request.messages ?? [])];
  const called: [string, unknown][] = [];
  for (let step = 0; step < 12; step++) {
    const said = await parts({ ...request, messages });
    const calls = said.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) return { answer: spoken(said), called, finish: said.at(-1) };
    const results = calls.map(({ id, name, input }) => {
      called.push([name, input]);
      const output = answers[name]?.(input) ?? { results: [] };
      const is_error = output instanceof Error;
      return {
        id,
        name,
        output: is_error ? output.message : typeof output === 'string' ? output : JSON.stringify(output),
        is_error,
      };
    });
    messages.push({ role: 'assistant', parts: calls }, { role: 'tool', results });
  }
  return assert.fail('it never came to an end');
}

const kettle = {
  results: [
    {
      content: 'The kettle is made of steel. Its warranty lasts two years from the day of purchase. Keep it dry.',
      title: 'Kettle manual',
      url: 'https://a.example/kettle',
    },
    { content: 'The toaster has four slots.', title: 'Toaster manual' },
  ],
};

test('a question is searched with the tools of the agent and answered with the best sentences and their source', async () => {
  const { answer, called } = await ask(
    { messages: [user('How long is the warranty of the kettle?')], tools: [knowledge] },
    { knowledge_search: () => kettle },
  );
  assert.deepEqual(called, [['knowledge_search', { query: 'How long is the warranty of the kettle?' }]]);
  assert.match(
    answer,
    /^This is what I found:\n\n- “The kettle is made of steel. Its warranty lasts two years from the day of purchase. Keep it dry.” \[Kettle manual\]\(https:\/\/a\.example\/kettle\)/,
  );
  assert.doesNotMatch(answer, /toaster/i);
});

test('the same request gives the same parts', async () => {
  const request = { messages: [user('How long is the warranty of the kettle?')], tools: [knowledge, web] };
  assert.deepEqual(await parts(request), await parts(request));
});

test('quotes a row that a search of tables found, under the name of its table', async () => {
  const search = tool('tables_search', 'Searches the tables of this agent', { query: text }, ['query']);
  const row = { id: 1, customer: 'Ada', amount: 12.5 };
  const { answer } = await ask(
    { messages: [user('Which orders has Ada?')], tools: [search] },
    { tables_search: () => ({ results: [{ table: 'orders', content: 'customer: Ada, amount: 12.5', row }] }) },
  );
  assert.equal(answer, 'This is what I found:\n\n- “customer: Ada, amount: 12.5” [orders]');
});

test('says that it found nothing, and what to configure', async () => {
  const { answer, finish } = await ask({ messages: [user('Who won the match?')], tools: [knowledge] });
  assert.match(answer, /^I found nothing about this in what I have at hand\./);
  assert.match(answer, /not|can't/);
  assert.match(answer, /Admin → Models.*OPENAI_API_KEY.*OPENAI_BASE_URL/);
  assert.equal(finish?.type === 'finish' && finish.reason, 'stop');
});

test('searches the agent’s own sources first, and the web only when they have nothing', async () => {
  const question = { messages: [user('How long is the warranty of the kettle?')], tools: [web, knowledge] };
  const found = await ask(question, { knowledge_search: () => kettle });
  assert.deepEqual(
    found.called.map(([name]) => name),
    ['knowledge_search'],
  );
  const further = await ask(question, { web_research_search: () => 'The warranty of a kettle is three years.' });
  assert.deepEqual(
    further.called.map(([name]) => name),
    ['knowledge_search', 'web_research_search'],
  );
  assert.match(further.answer, /three years.*\[web research\]/);
});

test('at most four searches are made, each once, and one after another when calls may not be parallel', async () => {
  const tools = Array.from({ length: 9 }, (_, at) => ({ ...knowledge, name: `kb_${at}_search` }));
  const messages = [user('How long is the warranty?')];
  assert.equal((await ask({ messages, tools })).called.length, 4);
  const said = await parts({ messages, tools, parallel_tool_calls: false });
  assert.equal(said.filter(({ type }) => type === 'tool-call').length, 1);
  assert.equal((await ask({ messages, tools, parallel_tool_calls: false })).called.length, 4);
});

test('reports a failed search and still quotes what other searches found', async () => {
  const tools = [knowledge, tool('memory_recall', 'Recalls memories', { query: text })];
  const { answer } = await ask(
    { messages: [user('How long is the warranty of the kettle?')], tools },
    { knowledge_search: () => kettle, memory_recall: () => new Error('no answer within 15 s') },
  );
  assert.match(answer, /two years/);
  assert.match(answer, /^(?!.*memory_recall)[\s\S]*memory did not work: no answer within 15 s/);
});

test('a tool that the message names is called with what was asked', async () => {
  const weather = tool('weather_report', 'Weather', { city: text, days: { type: 'integer' } }, ['city']);
  const hinted = await ask(
    {
      messages: [user(appendToolHints('city: Oslo\ndays: 3', { tool: 'weather_report' }))],
      tools: [knowledge, weather],
    },
    { weather_report: () => ({ text: 'Rain.' }) },
  );
  assert.deepEqual(hinted.called, [['weather_report', { city: 'Oslo', days: 3 }]]);
  assert.match(hinted.answer, /^This is the result:\n\nRain\. \[weather report\]/);
});

test('a knowledge base or workflow that the message names is looked up by its id', async () => {
  const run = tool('workflow_invoice', 'Runs the workflow w-7', { inputs: { type: 'object' } }, ['inputs']);
  const kb = tool('kb_search', 'Searches', { query: text, kb_id: text }, ['query']);
  const tools = [knowledge, kb, run];
  const flow = await ask({ messages: [user(appendToolHints('Run it', { workflow_id: 'w-7' }))], tools });
  assert.deepEqual(flow.called, [['workflow_invoice', { inputs: {} }]]);
  const base = await ask({ messages: [user(appendToolHints('Warranty?', { kb_id: 'k-1' }))], tools });
  assert.deepEqual(base.called, [['kb_search', { query: 'Warranty?', kb_id: 'k-1' }]]);
  const none = await ask({ messages: [user(appendToolHints('Run it', { tool: 'gone' }))], tools });
  assert.deepEqual(none.called, []);
  assert.match(none.answer, /no tool for that/);
});

test('to-dos are added, completed, removed and read when the agent has the tools', async () => {
  const list = {
    todos: [
      { id: 7, text: 'buy milk', status: 'pending' },
      { id: 8, text: 'call the bank', status: 'pending' },
    ],
  };
  const answers = { todos_read_todos: () => list };
  const say = (said: string) => ask({ messages: [user(said)], tools: [knowledge, ...todoTools] }, answers);
  assert.deepEqual((await say('Add todo: water the plants')).called, [
    ['todos_add_todo', { text: 'water the plants' }],
  ]);
  assert.deepEqual((await say('please add bread to my todo list')).called, [['todos_add_todo', { text: 'bread' }]]);
  const done = await say('Complete todo call bank');
  assert.deepEqual(done.called.at(-1), ['todos_update_todo_status', { id: '8', status: 'completed' }]);
  assert.equal(done.answer, 'Marked as done: call bank.');
  assert.deepEqual((await say('remove todo 1')).called.at(-1), ['todos_remove_todo', { id: '7' }]);
  const unknown = await say('remove the todo about elephants');
  assert.equal(unknown.called.length, 1);
  assert.match(unknown.answer, /no to-do like/);
  assert.equal((await say('What are my todos?')).answer, 'On the list:\n\n1. buy milk\n2. call the bank');
});

test('the time is read from the clock, also elsewhere', async () => {
  const answers = {
    clock_now: () => ({
      utc: '2026-01-01T11:00:00Z',
      local: 'torsdag 1 januari 2026 12:00:00',
      time_zone: 'Europe/Oslo',
    }),
  };
  const { called, answer } = await ask(
    { messages: [user('What time is it in Oslo?')], tools: [clock, knowledge] },
    answers,
  );
  assert.deepEqual(called, [['clock_now', { time_zone: 'Europe/Oslo' }]]);
  assert.match(answer, /12:00:00 \(Europe\/Oslo\)/);
  const due = await ask({ messages: [user('What time does the shop open?')], tools: [clock, knowledge] }, answers);
  assert.deepEqual(
    due.called.map(([name]) => name),
    ['knowledge_search'],
  );
});

test('attached texts, memories, the glossary and earlier messages are quoted without a search', async () => {
  const data = new TextEncoder().encode('Rent is due on the third. Heating is extra.');
  const file = { type: 'file' as const, media_type: 'text/plain; charset=utf-8', filename: 'lease.txt', data };
  const attached = await ask({
    messages: [{ role: 'user', parts: [file, { type: 'text', text: 'When is the rent due?' }] }],
  });
  assert.match(attached.answer, /“Rent is due on the third. Heating is extra.” \[lease.txt\]/);
  const converted = { type: 'text' as const, text: 'File "lease.pdf" (application/pdf):\n\nRent is due on the fifth.' };
  const question = { type: 'text' as const, text: 'When is the rent due?' };
  const pdf = await ask({ messages: [{ role: 'user', parts: [converted, question] }] });
  assert.match(pdf.answer, /“Rent is due on the fifth.” \[lease.pdf\]/);
  const system =
    '# Persona\nThe secret lease is blue.\n\n# Glossary\n- SLA: the promised answer time\n\n# Memories\n- The lease ends in May';
  assert.match(
    (await ask({ system, messages: [user('What does SLA mean?')] })).answer,
    /“SLA: the promised answer time” \[Glossary\]/,
  );
  const lease = (await ask({ system, messages: [user('When does the lease end?')] })).answer;
  assert.match(lease, /ends in May/);
  assert.doesNotMatch(lease, /secret/);
  const earlier = [user('My locker code is 4411.'), user('Which is my locker code?')];
  assert.match((await ask({ messages: earlier })).answer, /4411.*\[earlier in this conversation\]/);
});

test('answers a greeting in a plain sentence without a search', async () => {
  const say = async (said: string) => await ask({ messages: [user(said)], tools: [knowledge] });
  const { answer, called } = await say('Hello!');
  assert.match(answer, /^Hello\. Ask me a question: I look for the answer and quote what I find\./);
  assert.deepEqual(called, []);
  assert.match((await say('你好')).answer, /not a language model/);
});

test('tells how to configure a model as advice apart from the answer', async () => {
  const advised = async (said: string) => {
    const all = await parts({ messages: [user(said)] });
    const of = (type: 'text' | 'advice') => all.flatMap((part) => (part.type === type ? part.text : [])).join('');
    return [of('text'), of('advice')] as const;
  };
  for (const said of ['Hello', 'Who are you?', 'What is a heron?', '?!']) {
    const [text, advice] = await advised(said);
    assert.ok(text.length > 10, said);
    assert.doesNotMatch(text, /OPENAI|configure|extractive/i);
    assert.match(advice, /Admin → Models[\s\S]*OPENAI_API_KEY/);
  }
  assert.match((await advised('Was ist ein Reiher?'))[1], /^\s*Ich bin die eingebaute Suche[\s\S]*Admin → Models/);
  assert.deepEqual(await advised('Thanks'), ['You are welcome.', '']);
});

test('an answer is streamed in words, ends at max_tokens and at a stop sequence', async () => {
  const messages = [user('Hello')];
  const whole = await parts({ messages });
  assert.ok(whole.length > 10);
  const cut = await parts({ messages, max_tokens: 5 });
  assert.ok(spoken(cut).length <= 20 && spoken(whole).startsWith(spoken(cut)));
  const finish = cut.at(-1);
  assert.ok(finish?.type === 'finish' && finish.reason === 'length' && finish.usage.output_tokens <= 5);
  assert.equal(spoken(await parts({ messages, stop_sequences: [' a question'] })), 'Hello. Ask me');
});

test('a stopped run stops in the middle of the answer', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const reading = async () => {
    for await (const part of model.stream({ ...base, messages: [user('Hello')] }, stop.signal)) {
      if (part.type === 'text') said.push(part.text);
      if (said.length === 2) stop.abort(new Error('stopped'));
    }
  };
  await assert.rejects(reading(), /stopped/);
  assert.equal(said.length, 2);
});

test('refuses what it can not do', async () => {
  await assert.rejects(
    parts({ messages: [user('Hello')], json_schema: {} }),
    (error) => error instanceof ModelError && error.status === 400,
  );
  const image = { type: 'file' as const, media_type: 'image/png', filename: 'cat.png', data: new Uint8Array(3) };
  const { answer } = await ask({
    messages: [{ role: 'user', parts: [image, { type: 'text', text: 'What animal is it?' }] }],
  });
  assert.match(answer, /can't read cat\.png/);
});

test('quotes nothing when no passage carries the words of the question', async () => {
  for (const question of [
    'How do I make pizza dough?',
    'What is the capital of France?',
    'How many slots has the kettle?',
  ]) {
    const { answer } = await ask(
      { messages: [user(question)], tools: [knowledge] },
      { knowledge_search: () => kettle },
    );
    assert.match(answer, /^I found nothing about this/, question);
    assert.doesNotMatch(answer, /“/, question);
    assert.match(answer, /OPENAI_API_KEY/);
  }
});
