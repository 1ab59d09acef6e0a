import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskModel, Question } from '../node-services/ask-model.ts';
import { runNode } from '../testing.ts';
import { makeClassifyNode, makeSentimentNode } from './text/classify.ts';
import { makeExtractDataNode } from './text/extract-data.ts';
import { makeSummaryNode, makeTextSummarizationNode, shortenText } from './text/summary.ts';
import { makeTranslateNode } from './text/translate.ts';

/** A model that gives these answers in order, and records the questions. */
function saying(...answers: string[]) {
  const asked: Question[] = [];
  const ask: AskModel = async (_, question) => {
    asked.push(question);
    return {
      text: answers[Math.min(asked.length, answers.length) - 1] ?? '',
      model: 'm',
      input_tokens: 1,
      output_tokens: 1,
    };
  };
  return { ask, asked };
}

test('asks for a summary with its format and topic', async () => {
  const { ask, asked } = saying('Short.');
  const summary = makeSummaryNode(ask);
  const config = { summary_format: 'Bullet points', summary_topic: 'the harvest' };
  assert.deepEqual(await runNode(summary, { input: 'A long text' }, config), { output: 'Short.' });
  assert.match(asked[0]?.system ?? '', /Bullet points.*about: the harvest/);
  assert.equal(asked[0]?.text, 'A long text');
});

test('a shortened text is never longer than the limit, even if the answer of the model is', async () => {
  const node = makeTextSummarizationNode(saying('One sentence. Another sentence that is long.').ask);
  assert.deepEqual(await runNode(node, { input: 'x'.repeat(100) }, { max_length: 20 }), { output: 'One sentence.' });
  assert.deepEqual(await runNode(node, { input: 'short' }, { max_length: 20 }), { output: 'short' });
  for (const text of ['a'.repeat(50), 'aa bb '.repeat(10), '😀'.repeat(30)])
    assert.ok(shortenText(text, 21).length <= 21);
});

test('classifies a text, and asks again when the answer is no category', async () => {
  const { ask, asked } = saying('Billing, I think', '```json\n{"category": "billing "}\n```');
  const config = { categories: ['Billing', 'Other'] };
  assert.deepEqual(await runNode(makeClassifyNode(ask), { input: 'My invoice' }, config), { output: 'Billing' });
  assert.equal(asked.length, 2);
  const never = saying('{"category": "Elsewhere"}');
  await assert.rejects(runNode(makeClassifyNode(never.ask), { input: 'x' }, config), /asked form/);
});

test('returns a sentiment with a valid score', async () => {
  const node = makeSentimentNode(
    saying('{"sentiment": "great", "score": 7}', '{"sentiment": "positive", "score": 0.8}').ask,
  );
  assert.deepEqual(await runNode(node, { input: 'Lovely' }), { output: { sentiment: 'positive', score: 0.8 } });
});

test('extracts fields: missing ones are null, others are left out', async () => {
  const { ask, asked } = saying('{"total": "many", "who": "Ada"}', '{"total": "5", "who": "Ada", "extra": 1}');
  const fields = [{ name: 'total', type: 'number' }, { name: 'who' }, { name: 'tags', type: 'list' }];
  const { output } = await runNode(makeExtractDataNode(ask), { input: 'Ada paid 5' }, { fields });
  assert.deepEqual(output, { total: 5, who: 'Ada', tags: null });
  assert.deepEqual(asked[0]?.json_schema?.['required'], ['total', 'who', 'tags']);
});

test('asks for a translation in the given language', async () => {
  const { ask, asked } = saying('Bonjour');
  assert.deepEqual(await runNode(makeTranslateNode(ask), { input: 'Hello' }, { language: 'French' }), {
    output: 'Bonjour',
  });
  assert.match(asked[0]?.system ?? '', /to French/);
});

test('refuses the built-in model, which can only quote', async () => {
  const ask: AskModel = async () => ({ text: 'x', model: 'atrium/extractive', input_tokens: 0, output_tokens: 0 });
  await assert.rejects(
    runNode(makeTranslateNode(ask), { input: 'x' }, { language: 'French' }),
    /needs a language model/,
  );
});
