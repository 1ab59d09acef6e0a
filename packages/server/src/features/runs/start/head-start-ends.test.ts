import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { makeLog } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import type { HeldConversation } from '../ports.ts';
import type { RunRow } from '../store.ts';
import { makeHeadStarts } from './head-start.ts';

const scope = { log: makeLog('silent') } as Scope;
const run = { id: 'run' } as RunRow;
const held = { row: {}, settings: {} } as LoadedConversation;
const slot = { workspace_id: 'workspace', release() {} };

/** Head starts whose runs say a word and then wait for the commit, with a node that takes runs or shuts down. */
function makeStarts({ takesRuns = true, isClosing = false } = {}) {
  const noted: string[] = [];
  async function* events(_: Scope, __: RunRow, signal: AbortSignal, ___: unknown, loaded?: HeldConversation) {
    noted.push('begun');
    try {
      yield { type: 'text-delta', step: 1, text: 'word' } satisfies RunEvent;
      await loaded?.accepted;
      noted.push('accepted');
    } finally {
      noted.push(signal.aborted ? 'aborted' : 'over');
    }
  }
  const headStart = makeHeadStarts({
    events,
    executor: {
      start: () => void noted.push('started without'),
      expect() {
        const abort = new AbortController();
        const start = () => takesRuns;
        return isClosing ? undefined : { scope, signal: abort.signal, start, drop: () => abort.abort() };
      },
    },
  });
  return { noted, head: headStart(scope) };
}

test('goes on with the run after the commit', async () => {
  const { noted, head } = makeStarts();
  head.begin(run, held);
  await turn();
  head.start(run, slot, held);
  await turn();
  assert.deepEqual(noted, ['begun', 'accepted', 'over']);
});

test('ends the run that was begun when the node shuts down before the commit', async () => {
  const { noted, head } = makeStarts({ takesRuns: false });
  head.begin(run, held);
  await turn();
  head.start(run, slot, held);
  await turn();
  assert.deepEqual(noted, ['begun', 'aborted']);
});

test('begins nothing while the node shuts down', async () => {
  const { noted, head } = makeStarts({ isClosing: true });
  head.begin(run, held);
  head.start(run, slot, held);
  await turn();
  assert.deepEqual(noted, ['started without']);
});

test('ends the run of the first statement when the statement is repeated', async () => {
  const { noted, head } = makeStarts();
  head.begin(run, held);
  await turn();
  head.begin(run, held);
  await turn();
  head.start(run, slot, held);
  await turn();
  assert.deepEqual(noted, ['begun', 'begun', 'aborted', 'accepted', 'over']);
});

test('begins nothing after it was dropped', async () => {
  const { noted, head } = makeStarts();
  head.begin(run, held);
  await turn();
  head.drop();
  head.drop();
  head.begin(run, held);
  await turn();
  assert.deepEqual(noted, ['begun', 'aborted']);
});
