import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepeatedText } from './repeated-text.ts';

const eventOf = (text: unknown, more: object = {}) =>
  JSON.stringify({ model: 'fast', choices: [{ index: 0, delta: { role: 'assistant', content: text }, ...more }] });
const textIn = (event: unknown) => (event as { choices: { delta: { content: unknown } }[] }).choices[0]?.delta.content;

function learned(text = 'Hello') {
  const repeated = new RepeatedText(textIn);
  assert.equal(repeated.learn(eventOf(text), text), true);
  return repeated;
}

test('reads the text of events that are like the learned one', () => {
  const repeated = learned();
  for (const text of ['', ' world', 'a "quoted" word', '\\', '\n\t\u0000', 'żółć 🙂', '\ud800', '"', '","x":"'])
    assert.equal(repeated.read(eventOf(text)), text);
});

test('leaves events that differ in anything else to be parsed', () => {
  const repeated = learned();
  for (const data of [
    eventOf('x', { finish_reason: 'stop' }),
    eventOf(null),
    eventOf(['x']),
    eventOf(1),
    eventOf('x').replace('"x"', '"x","content":"y"'),
    eventOf('x').replace('"x"', '"x\n"'),
    eventOf('x').replace('"x"', '"\\x"'),
    eventOf('x').replace('"x"', '"'),
    eventOf('x').replace('fast', 'slow'),
    eventOf('x').slice(0, -1),
    '[DONE]',
    '',
  ])
    assert.equal(repeated.read(data), undefined, data);
});

test('does not take the same word elsewhere in the event for the text', () => {
  const repeated = new RepeatedText(textIn);
  assert.equal(repeated.learn(eventOf('fast'), 'fast'), false);
  assert.equal(repeated.read(eventOf('slow')), undefined);
  assert.equal(repeated.learn(eventOf('other'), 'other'), true);
  assert.equal(repeated.read(eventOf('fast')), 'fast');
});

test('learns nothing from a text that stands between the values of the event, or is one of its names', () => {
  for (const text of [',', ':', '', 'choices', 'delta', 'content', 'assistant', 'role', '},{']) {
    const repeated = new RepeatedText(textIn);
    repeated.learn(eventOf(text, { more: ',' }), text);
    for (const other of ['next', ',', ':'])
      assert.ok([undefined, other].includes(repeated.read(eventOf(other, { more: ',' }))), `${text} ${other}`);
  }
});

test('gives up on a server whose events always differ', () => {
  const repeated = new RepeatedText(textIn);
  for (let attempt = 0; attempt < 8; attempt++) repeated.learn(eventOf('word', { id: attempt }), 'word');
  assert.equal(repeated.learn(eventOf('word'), 'word'), false);
  assert.equal(repeated.read(eventOf('more', { id: 7 })), 'more');
});
