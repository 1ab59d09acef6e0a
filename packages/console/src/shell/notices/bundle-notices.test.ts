import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfNotice, bundleNotices } from './bundle-notices.ts';

const notice = (id: string, more: object = {}) => ({
  ...{
    id,
    group_id: 'w',
    kind: 'run_failed' as const,
    target: { kind: 'run', id: 'r' },
    parent: null,
    subject: null,
    actor: null,
  },
  ...{ read_at: null, created_at: '2026-11-16T10:00:00Z' },
  ...more,
});

test('puts notices of one kind about one thing into one line', () => {
  const bundles = bundleNotices([
    notice('3', { parent: { kind: 'conversation', id: 'c' }, target: { kind: 'run', id: 'r3' } }),
    notice('2', { parent: { kind: 'conversation', id: 'c' }, target: { kind: 'run', id: 'r2' }, read_at: 'x' }),
    notice('1', { group_id: 'other', parent: { kind: 'conversation', id: 'c' } }),
  ]);
  assert.deepEqual(
    bundles.map(({ newest, ids, unread, targets }) => [newest.id, ids, unread, targets]),
    [
      ['3', ['3', '2'], ['3'], ['r3', 'r2']],
      ['1', ['1'], ['1'], ['r']],
    ],
  );
});

test('leads to the record in its own workspace, and to the inbox for what waits', () => {
  const at = (more: object) => addressOfNotice(notice('1', more));
  assert.equal(
    at({ kind: 'approval_asked', target: { kind: 'approval', id: 'a' } }),
    '/w/w/inbox?status=pending&item=a',
  );
  assert.equal(at({ parent: { kind: 'conversation', id: 'c' } }), '/w/w/chat/c');
  assert.equal(at({}), '/w/w/runs/r');
  assert.equal(at({ target: { kind: 'agent', id: '../x' } }), '/w/w/agents/..%2Fx/build');
});
