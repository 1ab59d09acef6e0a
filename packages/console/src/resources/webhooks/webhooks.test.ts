import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf, sayEvents, toggleEvent } from './webhooks.ts';

test('puts a family in the place of its events when it is chosen', () => {
  assert.deepEqual(toggleEvent(['run.failed', 'row.created'], 'run', true), ['row.created', 'run']);
  assert.deepEqual(toggleEvent(['row.created', 'run'], 'run', false), ['row.created']);
  assert.deepEqual(toggleEvent([], 'run.failed', true), ['run.failed']);
});

test('lists the events of a family, without the test event, which has no subscribers', () => {
  assert.deepEqual(eventsOf('run'), ['run.completed', 'run.failed', 'run.stopped']);
  assert.deepEqual(eventsOf('webhook'), ['webhook.disabled']);
  assert.equal(sayEvents(['run', 'document.failed']), 'Runs, A document failed');
});
