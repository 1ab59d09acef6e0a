import assert from 'node:assert/strict';
import { test } from 'node:test';
import { severities } from '@atrium/contract/safety/categories.ts';
import fc from 'fast-check';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { readVerdict } from './read-verdict.ts';

const good = { flagged: true, severity: 'moderate', reason: 'It insults someone.' };
const read = { severity: 'moderate', reason: 'It insults someone.' };
const json = JSON.stringify(good);

const readable: [string, string][] = [
  ['bare', json],
  ['with line breaks', JSON.stringify(good, null, 2)],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['in prose', `Here is my verdict: ${json} I hope it helps {or so}.`],
  ['with other keys', JSON.stringify({ category: 'toxicity', ...good, extra: { flagged: false } })],
];
test('reads a verdict bare, formatted, in a fence, in prose and with other keys', () => {
  for (const [how, answer] of readable) assert.deepEqual(readVerdict(answer), read, how);
});

const nonsense: [string, string][] = [
  ['nothing', ''],
  ['prose', 'This text is safe.'],
  ['another type', '[]'],
  ['a bare word', 'true'],
  ['a verdict in an object that never ends', `{ ${json}`],
  ['half an object', json.slice(0, -2)],
  ['no severity', '{"flagged": false, "reason": "x"}'],
  ['a severity nobody knows', '{"flagged": false, "severity": "fine", "reason": "x"}'],
  ['a severity that is a number', '{"flagged": false, "severity": 0, "reason": "x"}'],
  ['an inherited severity', '{"flagged": false, "severity": "toString", "reason": "x"}'],
  ['a flag in words', '{"flagged": "false", "severity": "none", "reason": "x"}'],
  ['no flag', '{"severity": "none", "reason": "x"}'],
  ['no reason', '{"flagged": false, "severity": "none"}'],
  ['a reason that is a list', '{"flagged": false, "severity": "none", "reason": []}'],
  ['a flag without a severity', '{"flagged": true, "severity": "none", "reason": "x"}'],
  ['two verdicts', `{"flagged": false, "severity": "none", "reason": "quoted"} ${json}`],
];
test('reads no verdict from an answer that is none, or not a single whole one', () => {
  for (const [what, answer] of nonsense) assert.equal(readVerdict(answer), undefined, what);
});

test('takes a flag with an unknown severity for the worst', () => {
  for (const severity of ['"catastrophic"', '3', 'null'])
    assert.equal(readVerdict(`{"flagged": true, "severity": ${severity}, "reason": "x"}`)?.severity, 'severe');
});

test('reads other words for grades', () => {
  for (const [word, severity] of [
    ['High', 'severe'],
    ['MEDIUM', 'moderate'],
    ['minor', 'low'],
  ])
    assert.equal(readVerdict(`{"flagged": true, "severity": "${word}", "reason": "x"}`)?.severity, severity);
});

test('reads a low severity that is not flagged as none', () => {
  assert.equal(readVerdict('{"flagged": false, "severity": "low", "reason": "x"}')?.severity, 'none');
});

test('counts a severity beside flagged false', () => {
  const answer = '{"flagged": false, "severity": "severe", "reason": ""}';
  assert.deepEqual(readVerdict(answer), { severity: 'severe', reason: '' });
});

test('reads any answer as a known severity or as no verdict', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...severities, true, false));
  const answers = fc.oneof(
    fc.string(),
    fc.record({ flagged: value, severity: value, reason: value }).map((verdict) => JSON.stringify(verdict)),
    fc.string().map((noise) => noise + json + noise),
  );
  fc.assert(
    fc.property(answers, (answer) => {
      const verdict = readVerdict(answer);
      assert.ok(verdict === undefined || severities.includes(verdict.severity));
    }),
  );
});

test('reads an answer of nothing but braces quickly', () => {
  const started = cpuTime();
  assert.equal(readVerdict('{'.repeat(20_000)), undefined);
  assert.equal(readVerdict('{}'.repeat(10_000)), undefined);
  assert.equal(readVerdict(`${'{'.repeat(5000)}x${'}'.repeat(5000)}`), undefined);
  assert.ok(cpuTime() - started < 2000);
});
