import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AskModel, conversationTitle, defaultTitle, firstMessageTitle, generatedTitle } from './titles.ts';

const input = (said: string | Error, prompt = '') => {
  const asked: Parameters<AskModel>[0][] = [];
  const ask: AskModel = async (question) => {
    asked.push(question);
    if (said instanceof Error) throw said;
    return said;
  };
  return { asked, prompt, first_user: 'How do I descale the kettle?', first_reply: 'With vinegar.', ask };
};

test('the first line of the first message is a title without its markdown', () => {
  assert.equal(firstMessageTitle('## **Plan** for [the trip](https://a.example)\nmore'), 'Plan for the trip');
  assert.equal(firstMessageTitle('\n\n- buy `milk`'), 'buy milk');
  assert.equal(firstMessageTitle('what is snake_case?'), 'what is snake_case?');
  assert.equal(firstMessageTitle('```\ncode()\n```'), 'code()');
});

test('a long first line is cut at a word', () => {
  const title = firstMessageTitle('Please explain in detail how the heat pump of the north building is serviced');
  assert.equal(title, 'Please explain in detail how the heat pump of the north…');
});

test('a message without words gets the placeholder', () => {
  for (const text of ['', '  \n', '---', '```']) assert.equal(firstMessageTitle(text), defaultTitle());
});

test('a title is one short line for every message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const title = firstMessageTitle(text);
      assert.ok(title.length > 0 && [...new Intl.Segmenter().segment(title)].length <= 60);
      assert.ok(!/[\n\r]/.test(title) && title.isWellFormed());
    }),
  );
});

test('a generated title is one line without quotes, asked for with the prompt of the settings', async () => {
  const given = input('"Descaling a kettle."\nAnything else?', 'Name it');
  assert.equal(await generatedTitle(given), 'Descaling a kettle');
  assert.equal(given.asked[0]?.system, 'Name it');
  assert.match(given.asked[0]?.text ?? '', /kettle[\s\S]*vinegar/);
  assert.equal(await generatedTitle(input('Title: «Kettle»')), 'Kettle');
  assert.ok((await generatedTitle(input('word '.repeat(100)))).length <= 80);
});

test('a model that fails or says nothing leaves the first message as the title', async () => {
  assert.equal(await generatedTitle(input(new Error('down'))), 'How do I descale the kettle?');
  assert.equal(await generatedTitle(input(' "" \n')), 'How do I descale the kettle?');
});

test('the mode says where the name comes from', async () => {
  const given = input('Kettle');
  assert.equal(await conversationTitle({ mode: 'generate', ...given }), 'Kettle');
  assert.equal(await conversationTitle({ mode: 'first_message', ...given }), 'How do I descale the kettle?');
  assert.equal(await conversationTitle({ mode: 'off', ...given }), null);
  assert.equal(given.asked.length, 1);
});

test('the model is asked about the beginning of long messages, cut where no value is torn', async () => {
  for (let at = 0; at < 40; at++) {
    const { asked, ...rest } = input('A title');
    const first_user = `${'x'.repeat(at)} ${'word '.repeat(393)}card 4111 1111 1111 1111 is mine ${'word '.repeat(99)}`;
    await generatedTitle({ ...rest, first_user });
    const sent = asked[0]?.text as string;
    assert.ok(sent.length > 1700 && sent.length < 2100);
    assert.doesNotMatch(sent.replace('4111 1111 1111 1111', ''), /\d/);
  }
});
