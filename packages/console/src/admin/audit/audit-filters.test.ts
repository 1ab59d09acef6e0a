import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditFilters, rangeOf } from './audit-filters.ts';

test('asks for whole days when a time is chosen', () => {
  const now = new Date(2026, 10, 17, 15, 30);
  const { since, until } = rangeOf('yesterday', now);
  assert.equal(new Date(since ?? '').getTime(), new Date(2026, 10, 16).getTime());
  assert.equal(new Date(until ?? '').getTime(), new Date(2026, 10, 17).getTime());
  assert.deepEqual(Object.keys(rangeOf('7', now)), ['since']);
  assert.deepEqual(rangeOf(undefined, now), {});
});

test('takes only known filters when an address has others', () => {
  assert.deepEqual(auditFilters({ who: 'p', what: 'agents.update', outcome: 'nonsense', tab: 'x' }), {
    person_id: 'p',
    operation: 'agents.update',
  });
  assert.deepEqual(auditFilters({ where: 'organization', outcome: 'refused', record: 'r' }), {
    organization: true,
    outcome: 'refused',
    target_id: 'r',
  });
});

test('counts today among the days that are chosen', () => {
  const now = new Date(2026, 10, 17, 15, 30);
  const since = (when: string) => new Date(rangeOf(when, now).since ?? '').getTime();
  assert.equal(since('today'), new Date(2026, 10, 17).getTime());
  assert.equal(since('7'), new Date(2026, 10, 11).getTime());
  assert.equal(since('30'), new Date(2026, 9, 19).getTime());
  assert.equal(rangeOf('today', now).until, undefined);
  assert.deepEqual(rangeOf('8', now), {});
});

test('asks for one workspace, and for what was done', () => {
  assert.deepEqual(auditFilters({ where: 'w', outcome: 'done' }), { group_id: 'w', outcome: 'done' });
  assert.deepEqual(auditFilters({}), {});
});
