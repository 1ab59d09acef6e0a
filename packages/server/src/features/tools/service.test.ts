import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { makeLog } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import { clock } from './clock-tool.ts';
import type { Tool } from './ports.ts';
import { defineTool, runTool, ToolError, toolText } from './service.ts';

const logged: string[] = [];
const scope = { request_id: 'r1', log: makeLog('debug', (line) => logged.push(line)) } as Scope;

/** A tool that does this, and says what it was given. */
const tool = (run: (input: { city: string }, signal: AbortSignal) => Promise<unknown>, output: z.ZodType = z.any()) =>
  defineTool({
    tool: 'weather_get',
    description: 'The weather',
    input: z.object({ city: z.string() }),
    output,
    repeatable: true,
    run: (_, input, signal) => run(input, signal),
  });

const called = (
  tools: Tool[],
  {
    name = 'weather_get',
    input = { city: 'Oslo' } as unknown,
    timeout_ms = 2000,
    signal = new AbortController().signal,
  },
) =>
  runTool(tools, { type: 'tool-call', id: 'c1', name, input }, { scope, timeout_ms, signal }).then(
    ({ account: _, ...seen }) => seen,
  );

const error = (text: string) => ({ output: { error: text }, text: JSON.stringify({ error: text }), is_error: true });

test('a tool is given what the model wrote and answers in text and as data', async () => {
  const outcome = await called([tool(async ({ city }) => ({ city, degrees: 4 }))], {});
  const output = { city: 'Oslo', degrees: 4 };
  assert.deepEqual(outcome, { output, text: JSON.stringify(output), is_error: false });
  const text = await called([tool(async () => 'cold')], {});
  assert.deepEqual(text, { output: 'cold', text: 'cold', is_error: false });
});

test('an unknown tool is reported to the model', async () => {
  assert.deepEqual(await called([clock], { name: 'no_such' }), error('There is no tool named no_such'));
});

test('input that does not fit names the place and never reaches the tool', async () => {
  let ran = false;
  const tools = [
    tool(async () => {
      ran = true;
    }),
  ];
  for (const [input, place] of [
    [{ city: 5 }, /does not fit the tool: city: /],
    [{}, /city: /],
    ['{"city": "Os', /input: /],
    [null, /input: /],
  ] as const) {
    const outcome = await called(tools, { input });
    assert.equal(outcome.is_error, true);
    assert.match(outcome.text, place);
  }
  assert.equal(ran, false);
});

test('output that does not fit the schema is logged and withheld from the model', async () => {
  const outcome = await called([tool(async () => ({ secret: 'inner' }), z.object({ degrees: z.number() }))], {});
  assert.deepEqual(outcome, error('The tool failed'));
  assert.match(logged.at(-1) ?? '', /"level":"error".*"tool":"weather_get".*"error":"MisfitOutput"/);
});

test('removes fields from the output that the schema does not name', async () => {
  const outcome = await called([tool(async () => ({ a: 1, b: 2 }), z.object({ a: z.number() }))], {});
  assert.deepEqual(outcome.output, { a: 1 });
});

test('the log tells what failed and where, not in what words: they may quote what people wrote', async () => {
  const broken = tool(async () => {
    throw new TypeError('"Ada Lovelace" is not valid JSON');
  });
  assert.deepEqual(await called([broken], {}), error('The tool failed'));
  assert.match(logged.at(-1) ?? '', /"request_id":"r1".*"error":"TypeError".*service\.test\.m?[jt]s:\d+/);
  assert.doesNotMatch(logged.at(-1) ?? '', /Ada/);
});

test('the words of a ToolError are for the model', async () => {
  const lines = logged.length;
  const refusing = tool(async ({ city }) => {
    throw new ToolError(`There is no city named ${city}`);
  });
  assert.deepEqual(await called([refusing], {}), error('There is no city named Oslo'));
  assert.equal(logged.length, lines);
});

test('an error thrown before the first await is an outcome too', async () => {
  const broken = tool(() => {
    throw new Error('at once');
  });
  assert.deepEqual(await called([broken], {}), error('The tool failed'));
});

test('stops a tool that takes too long, and tells the model', async () => {
  let told = false;
  const slow = tool(async (_, signal) => {
    signal.addEventListener('abort', () => {
      told = true;
    });
    await new Promise(() => {});
  });
  assert.deepEqual(await called([slow], { timeout_ms: 50 }), error('The tool did not answer within 0.05 s'));
  assert.equal(told, true);
});

test('a long output is cut, for the model and in the records alike', async () => {
  const { output, text, is_error } = await called([tool(async () => ({ rows: 'x'.repeat(150_000) }))], {});
  assert.equal(is_error, false);
  assert.ok(text.length <= 100_000);
  assert.ok(text.endsWith('[The rest was cut off: 50411 more characters]'));
  assert.ok(output === text && toolText(output) === text);
});

test('a cut never leaves half a character', async () => {
  const { text } = await called([tool(async () => `a${'😀'.repeat(60_000)}`)], {});
  assert.ok(text.isWellFormed());
});

test('stopping the run stops a tool in the middle, and none is begun after it', async () => {
  const stop = new AbortController();
  let told = false;
  const slow = tool(async (_, signal) => {
    signal.addEventListener('abort', () => {
      told = true;
    });
    setTimeout(() => stop.abort(), 20);
    await new Promise(() => {});
  });
  const going = called([slow], { signal: stop.signal, timeout_ms: 60_000 });
  await assert.rejects(going, { name: 'AbortError' });
  assert.equal(told, true);

  let ran = false;
  const next = tool(async () => {
    ran = true;
  });
  await assert.rejects(called([next], { signal: stop.signal }), { name: 'AbortError' });
  assert.equal(ran, false);
});

test('the clock knows the time in any zone and says which one it does not know', async () => {
  const { output } = await called([clock], { name: 'clock_now', input: { time_zone: 'Europe/Oslo' } });
  assert.partialDeepStrictEqual(output, { time_zone: 'Europe/Oslo' });
  const wrong = await called([clock], { name: 'clock_now', input: { time_zone: 'Mars/Base' } });
  assert.deepEqual(wrong, error('There is no time zone called Mars/Base'));
});
