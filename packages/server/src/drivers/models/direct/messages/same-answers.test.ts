import { test } from 'node:test';
import fc from 'fast-check';
import { sampleModelRequest, weather } from '../../conformance-support.ts';
import { anyText, assertSameAnswer, wireOf } from '../testing.ts';

const tool = { tools: [weather] };
const schema = { type: 'object', properties: { a: { type: 'string' } } };
/** With the schema, a model that can't follow one has to answer by a tool. */
const requests = fc.constantFrom(sampleModelRequest(tool), sampleModelRequest({ ...tool, json_schema: schema }));

const usage = fc.record(
  {
    input_tokens: fc.nat(500),
    output_tokens: fc.nat(500),
    cache_read_input_tokens: fc.option(fc.nat(50)),
    cache_creation_input_tokens: fc.option(fc.nat(50)),
    output_tokens_details: fc.option(fc.record({ thinking_tokens: fc.option(fc.nat(30)) })),
    iterations: fc.option(
      fc.array(
        fc.record({
          type: fc.constantFrom('message', 'compaction', 'advisor_message', 'fallback_message'),
          input_tokens: fc.nat(90),
          output_tokens: fc.nat(90),
        }),
        { maxLength: 2 },
      ),
    ),
  },
  { requiredKeys: ['input_tokens', 'output_tokens'] },
);

const deltaOf = (type: string, index: number, given: string): object => {
  if (type === 'tool_use')
    return { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: given } };
  if (type === 'text') return { type: 'content_block_delta', index, delta: { type: 'text_delta', text: given } };
  return { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: given } };
};

const starts: Record<string, object> = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
  redacted_thinking: { type: 'redacted_thinking', data: 'sealed' },
  server_tool_use: { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
};

const block = (index: number) =>
  fc
    .record({
      type: fc.constantFrom('text', 'text', 'thinking', 'tool_use', 'redacted_thinking', 'server_tool_use'),
      name: fc.constantFrom('weather', 'json'),
      id: fc.constantFrom('c1', 'c2'),
      input: fc.constantFrom({}, { city: 'Oslo' }),
      caller: fc.constantFrom(undefined, { type: 'direct' }),
      deltas: fc.array(fc.oneof(anyText, fc.constantFrom('{"city":', '"Oslo"}', '')), { maxLength: 4 }),
      signed: fc.boolean(),
      stops: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ type, name, id, input, caller, deltas, signed, stops }) => [
      {
        type: 'content_block_start',
        index,
        content_block: starts[type] ?? { type, id, name, input, ...(caller && { caller }) },
      },
      ...(type === 'redacted_thinking' || type === 'server_tool_use'
        ? []
        : deltas.map((given) => deltaOf(type, index, given))),
      ...(signed
        ? [{ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'signed' } }]
        : []),
      ...(stops ? [{ type: 'content_block_stop', index }] : []),
    ]);

const message = fc
  .record({
    started: usage,
    ended: usage,
    blocks: fc.tuple(block(0), block(1), block(2)),
    count: fc.nat(3),
    stop_reason: fc.constantFrom(
      'end_turn',
      'tool_use',
      'max_tokens',
      'refusal',
      'pause_turn',
      'stop_sequence',
      'odd',
      null,
    ),
  })
  .map(({ started, ended, blocks, count, stop_reason }) => [
    { type: 'message_start', message: { id: 'm1', model: 'm', role: 'assistant', content: [], usage: started } },
    ...blocks.slice(0, count).flat(),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: ended },
    { type: 'message_stop' },
  ]);

/** What comes between, by mistake or instead. */
const odd = fc.constantFrom<(object | string)[]>(
  { type: 'ping' },
  '[DONE]',
  '{"typ',
  'null',
  { type: 'unheard_of' },
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  { type: 'error', error: { type: 'invalid_request_error', message: 'temperature: not supported', code: 7 } },
  { type: 'error', error: { type: 'odd_error', message: 'Odd' } },
  { type: 'error', error: { message: 'no type' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'unheard_of' } },
  { type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'stray' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 7 } },
  { type: 'content_block_delta', index: 0, delta: { type: 'unheard_of' } },
  { type: 'content_block_stop', index: 5 },
  { type: 'message_start', message: { id: 'm1', usage: { input_tokens: 1 } } },
  { type: 'message_start', message: { id: 'm2', usage: { input_tokens: 1 } } },
  { type: 'message_start', message: { id: 'm3', usage: {} } },
  { type: 'message_delta', delta: {}, usage: {} },
  { type: 'message_stop' },
);

const disturbed = fc
  .record({ events: message, place: fc.nat(12), given: odd })
  .map(({ events, place, given }) => [...events.slice(0, place), given, ...events.slice(place)]);

for (const [name, frames, numRuns] of [
  ['answers', message, 150],
  ['answers with something else inside', disturbed, 150],
] as const)
  test(`makes of ${name}, cut anywhere, what the package makes of them`, async () => {
    const wire = wireOf(frames as fc.Arbitrary<(object | string)[]>);
    await fc.assert(
      fc.asyncProperty(requests, wire, (request, answer) => assertSameAnswer('messages', request, answer)),
      { numRuns },
    );
  });
