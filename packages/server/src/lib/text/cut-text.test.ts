import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { cutAfter, cutBefore, maxCutShift } from './cut-text.ts';

const values = ['4111 1111 1111 1111', '+49 30 901820', 'emma.johnson@example.com', 'Emma Johnson', 'Dr. J. R. Smith'];

suite('a text is cut where no value is torn', () => {
  for (const value of values)
    test(`does not cut ${value} apart at any position`, () => {
      const text = `this was said before and then ${value} stood there, which was all. Nothing more.`;
      const [start, end] = [text.indexOf(value), text.indexOf(value) + value.length];
      for (let at = 0; at <= text.length; at++)
        for (const cut of [cutBefore(text, at), cutAfter(text, at)])
          assert.ok(cut <= start || cut >= end, `cut at ${at}: ${text.slice(0, cut)}|${text.slice(cut)}`);
    });

  test('lines of numbers are cut between lines', () => {
    const text = '4111 1111 1111 1111 12\n'.repeat(20);
    for (let at = 30; at < text.length - 30; at++)
      for (const cut of [cutBefore(text, at), cutAfter(text, at)]) assert.equal(text[cut - 1], '\n');
  });

  test('JSON without spaces is cut between its values', () => {
    const text = JSON.stringify(Array.from({ length: 20 }, () => ({ card: '4111 1111 1111 1111', mail: 'e@x.com' })));
    for (let at = 60; at < text.length - 60; at++)
      for (const cut of [cutBefore(text, at), cutAfter(text, at)])
        assert.match(text.slice(cut - 1, cut + 1), /[,{]["{]/);
  });

  test('a cut moves in its own direction only, not far, and parts no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.nat({ max: 600 }), (text, wanted) => {
        const at = Math.min(wanted, text.length);
        const [before, after] = [cutBefore(text, at), cutAfter(text, at)];
        assert.ok(before <= at && at - before <= maxCutShift && after >= at && after - at <= maxCutShift);
        if (text.isWellFormed()) assert.ok(text.slice(0, before).isWellFormed() && text.slice(after).isWellFormed());
      }),
    );
  });
});
