import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { splitSentences } from '../../../lib/text/split-sentences.ts';
import { termsOf } from '../../../lib/text/terms.ts';
import { type ModelMessage, type ModelPart, type ModelTool, plainRequest } from '../driver.ts';
import { makeExtractive } from './extractive-model.ts';
import { passagesIn } from './passages.ts';
import { readQuestion } from './reading/question.ts';
import { rankAnswers } from './reading/rank-answers.ts';
import { parseTodoCommand } from './todos.ts';

const wild = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string(),
);
const passage = (text: string, title = 'a') => ({ text, title, url: null, weight: 1 });

const rank = (question: string, texts: readonly string[]) =>
  rankAnswers(
    readQuestion(question),
    texts.map((text) => passage(text)),
  );
const quotesOf = (question: string, ...texts: string[]) => rank(question, texts).map(({ lines }) => lines.join('\n'));

test('matches words with their other forms, in several scripts', () => {
  for (const [one, other] of [
    ['warranty', 'warranties'],
    ['running', 'run'],
    ['Café', 'CAFE'],
    ['Verträge', 'Vertrag'],
    ['договора', 'договор'],
    ['ｋｅｔｔｌｅ', "kettle's"],
  ] as const)
    assert.deepEqual(termsOf(one), termsOf(other), one);
  assert.ok(termsOf('保修期是多久').includes('保修'));
  assert.deepEqual(termsOf('what is the of und der что'), []);
});

test('sentences end where people end them', () => {
  assert.deepEqual(splitSentences('Dr. Fox came. It was 3.5 km away! Then?'), [
    'Dr. Fox came.',
    'It was 3.5 km away!',
    'Then?',
  ]);
  assert.deepEqual(splitSentences('保修期为两年。请保留收据！'), ['保修期为两年。', '请保留收据！']);
  assert.deepEqual(splitSentences('# Care\n- keep **dry**\n- keep cool'), ['Care', 'keep dry', 'keep cool']);
  assert.deepEqual(splitSentences('This line was wrapped by some program before it\nended here. Next.'), [
    'This line was wrapped by some program before it ended here.',
    'Next.',
  ]);
});

test('the sentence that answers is quoted first, also in Chinese and Russian', () => {
  const [zh = ''] = quotesOf('保修期多久？', `产品由钢制成。\n\n保修期为两年。\n\n请勿浸水。`);
  assert.equal(zh, '保修期为两年。');
  const [ru = ''] = quotesOf(
    'Какой срок гарантии?',
    'Чайник стальной.\n\nГарантия действует два года.\n\nСрок гарантии можно продлить.',
  );
  assert.equal(ru, 'Срок гарантии можно продлить.');
  assert.deepEqual(quotesOf('Who won the match?', 'The kettle is steel.'), []);
});

test('results of many shapes become passages with their titles', () => {
  const read = (output: unknown) =>
    passagesIn({
      name: 'kb_search',
      output: typeof output === 'string' ? output : JSON.stringify(output),
      is_error: false,
    }).map(({ text, title }) => [text, title]);
  assert.deepEqual(read({ results: [{ content: 'A', source: { title: 'T' } }] }), [['A', 'T']]);
  assert.deepEqual(read([{ text: 'A', name: 'N' }]), [['A', 'N']]);
  assert.deepEqual(read({ documents: [{ title: 'D', chunks: [{ content: 'A' }, { content: 'B' }] }] }), [
    ['A', 'D'],
    ['B', 'D'],
  ]);
  assert.deepEqual(read({ rows: [{ id: 1, city: 'Oslo', people: 700 }] }), [['city: Oslo, people: 700', 'kb']]);
  assert.deepEqual(read('plain words'), [['plain words', 'kb']]);
  assert.deepEqual(read('{"results":[{"content":"A","title":"T"},{"content":"B\n[The rest was cut off'), [['A', 'T']]);
});

test('no tool answer, however odd, breaks the reading of it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        wild,
        fc.json(),
        fc.json().map((json) => json.slice(0, -3)),
      ),
      (output) => {
        for (const { text, title } of passagesIn({ name: 'a_search', output, is_error: false }))
          assert.ok(text.trim() && title);
      },
    ),
  );
});

test('quotes the text under a heading, not the heading, also when only the heading has the words of the question', () => {
  const text =
    '# Handbook\n\n## Refund policy\n\nYou get your money back within 30 days. Keep the receipt.\n\n## Opening hours\n\nMonday to Friday.';
  assert.deepEqual(quotesOf('What is the refund policy?', text), [
    'You get your money back within 30 days. Keep the receipt.',
  ]);
  assert.deepEqual(quotesOf('opening hours', text), ['Monday to Friday.']);
  assert.deepEqual(quotesOf('refund policy', '## Refund policy'), ['Refund policy']);
});

test('every quoted line consists of words of what was searched, in their order', () => {
  const wordsOf = (text: string) => (text.toWellFormed().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  fc.assert(
    fc.property(wild, fc.array(wild, { maxLength: 6 }), (question, texts) => {
      const all = texts.map(wordsOf);
      for (const { lines, coverage } of rank(question, texts)) {
        assert.ok(coverage > 0 && coverage <= 1 + 1e-9);
        for (const line of lines)
          for (const sentence of splitSentences(line))
            for (const cell of sentence.split(/, |: /))
              assert.ok(
                all.some((text) => text.includes(wordsOf(cell))),
                JSON.stringify([line, texts]),
              );
      }
    }),
  );
});

test('long and hostile texts are read in reasonable time', () => {
  const started = cpuTime();
  for (const sign of [' ', 'a', '.', '[', '(', '\n', '"', 'add ', '- ', '保', '{"a":', '. a', 'add \t']) {
    const text = sign.repeat(60_000 / sign.length);
    parseTodoCommand(`add ${text.slice(0, 1_900)}`);
    rank('what is a 保修', [text]);
    passagesIn({ name: 'a', output: `[${text}`, is_error: false });
  }
  assert.ok(cpuTime() - started < 8_000);
});

const tools: ModelTool[] = ['kb_search', 'clock_now', 'todos_read_todos', 'todos_add_todo', 'weird'].map((name) => ({
  name,
  description: name,
  input_schema: {
    type: 'object',
    properties: { query: { type: 'string' }, text: { type: 'string' } },
    required: ['query'],
  },
}));

test('ends within its token limit for any message and any tool results', async () => {
  const model = makeExtractive({ estimateTokens: (text) => Math.ceil(text.length / 4), estimateMessages: () => 1 });
  await fc.assert(
    fc.asyncProperty(
      wild,
      wild,
      fc.oneof(wild, fc.json()),
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      async (system, text, output, max_tokens, parallel_tool_calls) => {
        const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text }] }];
        for (let step = 0; ; step++) {
          assert.ok(step < 30, 'it goes on for ever');
          const given = { system, messages, tools, parallel_tool_calls, max_tokens };
          const request = { ...plainRequest, model: 'extractive', ...given };
          const said: ModelPart[] = await Array.fromAsync(model.stream(request, new AbortController().signal));
          const finish = said.at(-1);
          assert.ok(finish?.type === 'finish' && finish.usage.output_tokens <= max_tokens);
          const calls = said.filter((part) => part.type === 'tool-call');
          assert.equal(finish.reason === 'tool-calls', calls.length > 0);
          assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
          if (calls.length === 0) return;
          messages.push(
            { role: 'assistant', parts: calls },
            { role: 'tool', results: calls.map(({ id, name }) => ({ id, name, output, is_error: false })) },
          );
        }
      },
    ),
  );
});
