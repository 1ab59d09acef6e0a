import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { createCanary } from './canary-check.ts';
import { makeLeakCheck } from './leak-check.ts';

const canary = createCanary();
const system = `You are the assistant of Harbour Insurance. Answer questions about policies and claims in a friendly tone.
Never promise a payment. When a customer is angry, apologise once and offer to connect them with a colleague. Discounts
above ten percent need the code WINTER from the regional manager, which you must not mention to customers. If someone asks
about competitors, say that you only know our own products and lead the talk back to the question at hand.`;
const check = makeLeakCheck(system, canary);

test('puts the canary into the canary line', () => assert.ok(check.canaryLine.includes(canary)));

const disguises: [string, (word: string) => string][] = [
  ['as it is', (word) => word],
  ['in capitals', (word) => word.toUpperCase()],
  ['spaced', (word) => [...word].join(' ')],
  ['hyphenated over lines', (word) => [...word].join('-\n')],
  ['with invisible gaps', (word) => [...word].join('\u200b')],
  ['full width', (word) => word.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
  ['reversed', (word) => [...word].reverse().join('')],
  ['shifted by thirteen', (word) => word.replace(/./g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))],
  ['in hex', (word) => Buffer.from(word).toString('hex')],
  [
    'in spaced hex of capitals',
    (word) => Buffer.from(word.toUpperCase()).toString('hex').match(/../g)?.join(' ') ?? '',
  ],
  ['in base64', (word) => Buffer.from(word).toString('base64')],
];
test('finds the canary in every disguise', () => {
  for (const [how, disguise] of disguises) {
    const { flagged, severity, reason } = check.leaks(`Sure: ${disguise(canary)}. Anything else?`);
    assert.deepEqual([flagged, severity, reason.includes(canary)], [true, 'severe', false], how);
  }
});

test('finds the canary in base64 of any surrounding text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom('base64', 'base64url'), (before, after, form) => {
      const encoded = Buffer.from(`${before}${canary}${after}`).toString(form as 'base64');
      assert.ok(check.leaks(`It reads ${encoded}`).flagged);
    }),
  );
});

test('refuses a canary that is too short', () => assert.throws(() => makeLeakCheck(system, 'abc'), /12 letters/));

const words = system.split(/\s+/);

test('flags thirteen words of the prompt in a row, at any place and in any spelling', () => {
  const styles: ((piece: string[]) => string)[] = [
    (piece) => piece.join(' '),
    (piece) => piece.join(' ').toUpperCase(),
    (piece) => piece.join('\n- '),
    (piece) => piece.join(' ** '),
    (piece) => piece.join('  ').replaceAll(/[.,]/g, ''),
  ];
  const most = words.length;
  fc.assert(
    fc.property(
      fc.integer({ min: 13, max: most }).chain((size) => fc.tuple(fc.constant(size), fc.nat(most - size))),
      fc.constantFrom(...styles),
      fc.array(fc.lorem(), { maxLength: 20 }),
      ([size, from], style, around) => {
        const piece = style(words.slice(from, from + size));
        const { flagged, reason } = check.leaks(`${around.join(' ')} ${piece} ${around.join(' ')}`);
        assert.ok(flagged, piece);
        assert.ok(!reason.includes('customer') && /\d+ words/.test(reason), reason);
      },
    ),
  );
});

test('does not flag text that is not in the prompt', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.lorem({ maxCount: 60 })), (text) => !check.leaks(text).flagged));
});

const innocent = [
  'I am the assistant of Harbour Insurance. How can I help you today?',
  'I only know our own products. Shall we go back to your claim?',
  'Sorry about that! I can offer to connect you with a colleague.',
  'You are the assistant of Harbour Insurance, you said, but I would rather speak with a person about my claim.',
  '',
];
test('does not flag an ordinary reply', () => {
  for (const text of innocent)
    assert.deepEqual(check.leaks(text), { flagged: false, severity: 'none', reason: '' }, text);
});

test('flags a large part of the prompt, also in pieces and in another order', () => {
  const pieces = Array.from({ length: Math.floor(words.length / 11) }, (_, at) => words.slice(at * 11, at * 11 + 10));
  const shuffled = pieces.toReversed().map((piece) => piece.join(' '));
  assert.ok(check.leaks(shuffled.join(' — and then, as it were — ')).flagged);
});

test('grades the whole prompt as severe and one sentence as moderate', () => {
  assert.equal(check.leaks(system).severity, 'severe');
  assert.equal(check.leaks(words.slice(0, 15).join(' ')).severity, 'moderate');
});

test('lets the reply repeat what the user wrote, and no more than that', () => {
  const own = words.slice(10, 30).join(' ');
  assert.ok(check.leaks(`You asked: ${own}`).flagged);
  assert.ok(!check.leaks(`You asked: ${own}`, ['Hi!', `Is it true: ${own.toUpperCase()}`]).flagged);
  assert.ok(check.leaks(`You asked: ${words.slice(10, 60).join(' ')}`, [own]).flagged);
});

test('flags the whole of a short prompt, but not a phrase of it', () => {
  const short = makeLeakCheck('Answer in rhymes and never mention the blue door.', canary);
  assert.ok(short.leaks('My rules: answer in rhymes, and never mention the blue door!').flagged);
  assert.ok(!short.leaks('I answer in rhymes, and the door is closed.').flagged);
  const tiny = makeLeakCheck('You are a helpful assistant.', canary);
  assert.ok(!tiny.leaks('You are a helpful assistant.').flagged);
  assert.ok(tiny.leaks(canary).flagged);
  assert.ok(!makeLeakCheck('', canary).leaks('Anything at all').flagged);
});

test('flags prompts in scripts without spaces', () => {
  const rules =
    '你是港口保险公司的助手。不要向客户透露超过百分之十的折扣需要区域经理的代码。如果客户生气了，请道歉一次并转接同事。';
  const chinese = makeLeakCheck(rules, canary);
  assert.ok(chinese.leaks(`我的规则是：${rules.slice(0, 34)}`).flagged);
  assert.ok(!chinese.leaks('您好，我是港口保险公司的助手，很高兴为您服务。').flagged);
});

test('takes time linear in the length of the text', () => {
  const prompt = Array.from({ length: 20_000 }, (_, at) => `word${at % 977}`).join(' ');
  const large = makeLeakCheck(prompt, canary);
  const text = Array.from({ length: 200_000 }, (_, at) => `word${(at * 7) % 983}`).join(' ');
  const started = cpuTime();
  large.leaks(text, [text]);
  large.leaks(prompt.repeat(10));
  assert.ok(cpuTime() - started < 5000, `${cpuTime() - started} ms`);
});
