import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { mrkdwn, plainText } from './mrkdwn.ts';

test('Markdown is written as Slack writes it', () => {
  const cases: [string, string][] = [
    ['**bold** and *italic* and ~~gone~~', '*bold* and _italic_ and ~gone~'],
    ['## A **title**', '*A title*'],
    ['- one\n- two', '• one\n• two'],
    ['[a & b](https://x.example/?a=1&b=2)', '<https://x.example/?a=1&amp;b=2|a &amp; b>'],
    ['![chart](https://x.example/c.png)', '<https://x.example/c.png|chart>'],
    ['`**code** < 1`', '`**code** &lt; 1`'],
    ['```\n**x** & <y>\n```\n**z**', '```\n**x** &amp; &lt;y&gt;\n```\n*z*'],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
    ['snake_case_name', 'snake_case_name'],
    ['[x](javascript:alert)', '[x](javascript:alert)'],
  ];
  for (const [markdown, expected] of cases) assert.equal(mrkdwn(markdown), expected);
});

test('writes nothing that mentions or notifies a person', () => {
  for (const text of ['<!channel> look', '<@U1> you', '[x](https://x.example/|<!here>)', '<!subteam^S1>'])
    assert.doesNotMatch(mrkdwn(text), /<[!@#]/);
  fc.assert(fc.property(fc.string(), (text) => !/<(?!https?:\/\/[^<>]*>)/.test(mrkdwn(text))));
});

test('reads Slack messages as plain text', () => {
  const cases: [string, string][] = [
    ['<@UBOT> hello', 'hello'],
    ['<@UBOT|ada>: hello', 'hello'],
    ['hello <@UBOT> and <@U2|kim>', 'hello @UBOT and @kim'],
    [
      'see <https://x.example|the page> or <https://y.example>',
      'see the page (https://x.example) or https://y.example',
    ],
    ['<#C1|general> <!here> <!date^123^x|today> a &lt; b &amp;amp; c', '#general @here today a < b &amp; c'],
  ];
  for (const [text, expected] of cases) assert.equal(plainText(text, 'UBOT'), expected);
});

test('a text that was made to take long does not', () => {
  const began = cpuTime();
  for (const piece of ['**', '*a', '[a](', '`', '```', '~~a', '<@', '# ', '_a', '![', '<!']) {
    mrkdwn(piece.repeat(3500 / piece.length));
    plainText(piece.repeat(40_000 / piece.length), 'UBOT');
  }
  assert.ok(cpuTime() - began < 5000, `${cpuTime() - began} ms`);
});
