import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { oneStep, say } from '../runs/dialects/testing.ts';
import { dropDiscardedAttempts, makeCompletionOutput } from './completion-output.ts';
import { formatCompletion, makeChunkFrames } from './format-completion.ts';

const head = { id: 'chatcmpl-1', created: 1, model: 'agent:a' };

/** Everything that a client of a stream reads: the words in one, then how it ended. */
function heard(events: readonly RunEvent[]) {
  const said = events.flatMap(makeCompletionOutput());
  const last = said.at(-1);
  const text = said.map((one) => (one.type === 'text' ? one.text : '')).join('');
  return [text, last?.type === 'error' ? last.error.code : last?.type];
}

test('words go out as they come', () => {
  const saying = makeCompletionOutput();
  assert.deepEqual(oneStep(say.text('Hel'), say.text('lo')).slice(0, 4).flatMap(saying), [
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
  ]);
});

test('a break before the first word is not noticed', () =>
  assert.deepEqual(heard(oneStep(say.think('hm'), say.discard(), say.text('Hello'))), ['Hello', 'end']));

test('an attempt that says the same again is heard once', () => {
  const again = (...words: string[]) =>
    heard(oneStep(say.text('Hello '), say.text('wor'), say.discard(), ...words.map((word) => say.text(word))));
  assert.deepEqual(again('Hello world'), ['Hello world', 'end']);
  assert.deepEqual(again('Hel', 'lo wo', 'rld', '!'), ['Hello world!', 'end']);
  assert.deepEqual(again('Hello wor'), ['Hello wor', 'end']);
});

test('an attempt that says something else ends the stream with an error and not with a second text', () => {
  for (const other of ['Good day', 'Hello you', 'Hell'])
    assert.deepEqual(heard(oneStep(say.text('Hello wor'), say.discard(), say.text(other))), [
      'Hello wor',
      'answer_restarted',
    ]);
  const tail = oneStep(say.text('Hello'), say.discard(), say.text('Bye'), say.text('Hello'));
  assert.deepEqual(heard(tail), ['Hello', 'answer_restarted']);
});

test('a third attempt is measured by all that was sent', () => {
  const events = oneStep(say.text('ab'), say.discard(), say.text('abc'), say.discard(), say.text('ab'), say.text('cd'));
  assert.deepEqual(heard(events), ['abcd', 'end']);
});

test('the whole completion has no text of discarded attempts', () =>
  assert.deepEqual(heard(dropDiscardedAttempts(oneStep(say.text('Lost'), say.discard(), say.text('Kept')))), [
    'Kept',
    'end',
  ]));

test('the texts of two steps are two paragraphs, and a footer is a third', () => {
  const first = [say.start, say.step(1), say.text('Looking'), say.call('c1'), say.stepEnd(1, 'tool-calls')];
  const second = [say.result('c1', 'x'), say.step(2), say.text('Fo', 2), say.text('und', 2), say.stepEnd(2)];
  const end = [{ type: 'footer', text: 'Checked by nobody' } as const, say.messageEnd, say.completed];
  assert.deepEqual(heard([...first, ...second, ...end]), ['Looking\n\nFound\n\nChecked by nobody', 'end']);
});

test('a run that failed or was stopped is an error, however much it had said', () => {
  assert.deepEqual(heard([say.start, say.step(), say.text('half'), say.failed]), ['half', 'model_failed']);
  assert.deepEqual(heard([say.start, say.step(), say.text('half'), say.stopped]), ['half', 'run_stopped']);
});

test('sources come as annotations at the end, as the settings show them', () => {
  const source = (url: string | null, quote: string | null): RunEvent => {
    return { ...{ type: 'source', step: 1, id: 's', number: 1, title: 'Herons' }, url, quote };
  };
  const found = [
    source('https://a.example/h', 'They wade'),
    source('https://a.example/h', 'At dawn'),
    source(null, null),
  ];
  const [start = [], end = []] = [
    oneStep(say.text('They wade.')).slice(0, -1),
    oneStep(say.text('They wade.')).slice(-1),
  ];
  const events = [...start, ...found, ...end];
  const annotationsIn = (sources?: { unique: boolean; quotes: boolean } | null) => {
    const options = sources === undefined ? {} : { sources };
    const chunks = events.flatMap(makeCompletionOutput(options)).flatMap(makeChunkFrames(head, false).of);
    const deltas = chunks.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data).choices[0].delta);
    const whole = formatCompletion(head, events, options).choices[0]?.message.annotations;
    assert.deepEqual(deltas.at(-1).annotations, whole, 'streamed or not');
    return whole;
  };
  const cited = { url: 'https://a.example/h', title: 'Herons', start_index: 0, end_index: 10 };
  assert.deepEqual(annotationsIn(), [
    { type: 'url_citation', url_citation: { ...cited, quote: 'They wade' } },
    { type: 'url_citation', url_citation: { ...cited, quote: 'At dawn' } },
    { type: 'file_citation', file_citation: { title: 'Herons' } },
  ]);
  assert.deepEqual(annotationsIn({ unique: true, quotes: false }), [
    { type: 'url_citation', url_citation: cited },
    { type: 'file_citation', file_citation: { title: 'Herons' } },
  ]);
  assert.equal(annotationsIn(null), undefined, 'citation_style none');
});
