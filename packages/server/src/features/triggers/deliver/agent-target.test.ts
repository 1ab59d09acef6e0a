import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { makeAgentTarget } from './agent-target.ts';

const scope = {} as Scope;
const duplicate = Object.assign(new Error('duplicate'), { code: '23505' });

/** A target whose versions and conversations answer in this way, and the messages that it sent. */
function targetWith({ version, create, current }: { version?: Error; create?: Error; current?: { id: string } }) {
  const sent: string[] = [];
  const target = makeAgentTarget({
    agents: { exists: async () => new Set(['a']) },
    versions: { get: () => (version ? Promise.reject(version) : Promise.resolve({})) },
    conversations: { create: () => (create ? Promise.reject(create) : Promise.resolve({})) },
    runs: {
      current: async () => current,
      send: async (_scope: Scope, _id: string, { content }: { content: string }) => {
        sent.push(content);
        return { run: { id: 'new' } };
      },
    },
  } as never);
  const start = () => target.start(scope, { target_id: 'a', text: 'Hello', name: 'N', key: 'k' } as never);
  return { target, sent, start };
}

test('an agent has a version unless it is not found; other failures are no answer', async () => {
  const has = (version?: Error) => targetWith(version ? { version } : {}).target.hasVersion?.(scope, 'a', 'v');
  assert.equal(await has(), true);
  assert.equal(await has(notFound('version')), false);
  await assert.rejects(async () => has(conflict('busy')), /busy/);
  await assert.rejects(async () => has(new Error('outage')), /outage/);
});

test('a second attempt joins the run of the first, and sends the message when there is none', async () => {
  const first = targetWith({});
  assert.deepEqual([await first.start(), first.sent], ['new', ['Hello']]);
  const second = targetWith({ create: duplicate, current: { id: 'old' } });
  assert.deepEqual([await second.start(), second.sent], ['old', []]);
  const cutOff = targetWith({ create: duplicate });
  assert.deepEqual([await cutOff.start(), cutOff.sent], ['new', ['Hello']]);
  await assert.rejects(targetWith({ create: new Error('outage') }).start(), /outage/);
});
