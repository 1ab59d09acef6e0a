import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuestion } from './question.ts';
import { rankAnswers } from './rank-answers.ts';

const quotes = (question: string, ...texts: string[]) =>
  rankAnswers(
    readQuestion(question),
    texts.map((text, at) => ({ text, title: `text ${at}`, url: null, weight: 1 })),
  ).map(({ lines }) => lines.join('\n'));

test('quotes a span of time for "how many days", and no length', () => {
  const length = 'An invitation is valid with a password of 12 characters.';
  assert.deepEqual(quotes('How many days is an invitation valid?', length), []);
  const span = 'An invitation is valid for seven days.';
  assert.deepEqual(quotes('How many days is an invitation valid?', length, span), [span]);
  assert.deepEqual(quotes('How long does a session last?', 'A session lasts until POST /v1/auth/second-factor.'), []);
});

test('quotes a number for "how many" only beside the things that are counted', () => {
  const far =
    'The agent listens to its channels, and every event that comes from there waits at most 30 minutes or 5 tries.';
  assert.deepEqual(quotes('How many channels can an agent have?', far), []);
  const near = 'An agent has at most 20 channels.';
  assert.deepEqual(quotes('How many channels can an agent have?', far, near), [near]);
});

test('quotes no source code and no row of many lines as text', () => {
  const code = '"help": "The port of the server.", "default": 587, "bounds": {"min": 1, "max": 65535}';
  assert.deepEqual(quotes('Which port does the server use?', code), []);
  const row =
    '| what | tests |\n|---|---|\n| server | the port is open<br>server stops<br>port is used<br>server starts |';
  assert.deepEqual(quotes('Which port does the server use?', row), []);
});

test('quotes a name or a role for "who"', () => {
  assert.deepEqual(quotes('Who set the deadline?', 'The deadline is set by the calendar.'), []);
  const role = 'The deadline is set by the manager.';
  assert.deepEqual(quotes('Who set the deadline?', role), [role]);
});

test('quotes nothing for a short question when one of its words is far away or is a month', () => {
  const office =
    'An office may share one address.\n\nThe other settings stand in the head of the page and are explained below.';
  assert.deepEqual(quotes('What is the address of the head office?', office), []);
  assert.deepEqual(quotes('Which huts are closed in May?', 'The huts are closed by those who leave last.'), []);
});
