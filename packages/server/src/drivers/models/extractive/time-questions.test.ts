import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksTime } from './time-questions.ts';

test('asks the clock for the time of the day, and not for a time in documents or tables', () => {
  for (const question of [
    'What time is it?',
    'What time is it in Oslo?',
    'Which day is it today?',
    "What's the date?",
    'What is the date today?',
    'Wie spät ist es?',
  ])
    assert.equal(asksTime(question), true, question);
  for (const question of [
    'Which month had the most shipments?',
    'Which time zone do triggers use?',
    'What is the date of the party?',
    'What time does the shop open?',
    'Which year has the fewest orders?',
  ])
    assert.equal(asksTime(question), false, question);
});
