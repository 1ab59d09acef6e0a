import { test } from 'node:test';
import fc from 'fast-check';
import { sampleModelRequest, weather } from '../../conformance-support.ts';
import { anyText, assertSameAnswer, wireOf } from '../testing.ts';

const request = sampleModelRequest({ tools: [weather] });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const call = fc.record(
  {
    index: fc.constantFrom<(number | null)[]>(0, 0, 1, 2, null),
    id: fc.constantFrom<(string | null)[]>('a', 'b', 'c', '', null),
    function: fc.record(
      {
        name: fc.constantFrom<(string | null)[]>('weather', 'search', ' ', null),
        arguments: fc.oneof(fc.constantFrom('{"city":', '"Oslo"}', '{}', '{"a":[1]}', '[', ']', '', ' {'), anyText),
      },
      { requiredKeys: [] },
    ),
    extra_content: fc.constantFrom({ google: { thought_signature: 'signed' } }, { google: null }, null),
  },
  { requiredKeys: ['function'] },
);

const content = fc.oneof(
  anyText,
  fc.constant(null),
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text'), text: anyText }),
      fc.record({
        type: fc.constant('thinking'),
        thinking: fc.array(fc.record({ type: fc.constant('text'), text: anyText })),
      }),
      fc.constant({ type: 'image' }),
    ),
    { maxLength: 2 },
  ),
);

const delta = fc.record(
  {
    role: fc.constantFrom('assistant', '', null),
    content,
    reasoning_content: fc.option(anyText),
    reasoning: fc.option(anyText),
    refusal: fc.oneof(anyText, fc.constantFrom(false, null)),
    tool_calls: fc.array(call, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const words = fc.record({ content: anyText });

const usage = fc.record(
  {
    prompt_tokens: fc.option(fc.nat(500)),
    completion_tokens: fc.nat(500),
    prompt_tokens_details: fc.option(fc.record({ cached_tokens: fc.nat(50) })),
    completion_tokens_details: fc.option(fc.record({ reasoning_tokens: fc.nat(50) })),
  },
  { requiredKeys: [] },
);

const chunk = (deltas: fc.Arbitrary<object>) =>
  fc
    .record({
      delta: fc.option(deltas),
      finish: maybe(
        fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'strange', null),
      ),
      usage: maybe(fc.option(usage)),
    })
    .map(({ delta: given, finish, usage: counted }) => ({
      ...{ id: 'chatcmpl-1', created: 1, model: 'm' },
      choices: [{ index: 0, delta: given, ...(finish !== undefined && { finish_reason: finish }) }],
      ...(counted !== undefined && { usage: counted }),
    }));

/** What servers send by mistake, or instead of a chunk. */
const odd = fc.constantFrom<(object | string)[]>(
  '[DONE]',
  '{"cho',
  'null',
  '7',
  '[]',
  { error: { message: 'Overloaded', code: 503 } },
  { error: { message: 'Overloaded', statusCode: 529 }, choices: [] },
  { error: { message: 7 } },
  { error: 'just text' },
  { error: null, choices: [] },
  { choices: [] },
  { choices: [{}] },
  { choices: [{ delta: { content: 5 } }] },
  { choices: [{ delta: { content: 'x' } }, { delta: 5 }] },
  { choices: [{ delta: { role: 'user', content: 'x' } }] },
  { choices: [{ delta: { tool_calls: [{ index: 0 }] } }] },
  { choices: [{ delta: { tool_calls: [{ index: '0', function: {} }] } }] },
  { choices: [{ delta: { content: [{ text: 'no type' }] } }] },
  { choices: {}, id: 'x' },
  { choices: [], id: 7 },
  { choices: [], usage: { prompt_tokens: 'many' } },
  { choices: [], usage: [] },
  { object: 'something else' },
);

const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const whole = fc.array(chunk(words), { maxLength: 8 }).map((chunks) => [...chunks, finish, '[DONE]']);
const strange = fc.array(fc.oneof({ weight: 6, arbitrary: chunk(delta) }, { weight: 1, arbitrary: odd }), {
  maxLength: 12,
});
const calls = fc
  .array(chunk(fc.record({ tool_calls: fc.array(call, { minLength: 1, maxLength: 2 }) })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((chunks) => [...chunks, finish]);

for (const [name, frames, numRuns] of [
  ['texts', whole, 100],
  ['tool calls of any server', calls, 250],
  ['anything', strange, 200],
] as const)
  test(`makes of ${name}, cut anywhere, what the package makes of it`, async () => {
    await fc.assert(
      fc.asyncProperty(wireOf(frames as fc.Arbitrary<(object | string)[]>), (answer) =>
        assertSameAnswer('chat', request, answer),
      ),
      { numRuns },
    );
  });

test('reads an event whose last carriage return ends a piece when only half a line follows', async () => {
  const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\r\r`;
  const events = `${event('one')}${event('two')}`;
  const bytes = Buffer.from(`${events}data: {"cho`);
  for (const cut of [events.length - 1, events.length, events.length + 1])
    await assertSameAnswer('chat', request, { bytes, cuts: [cut] });
});
