import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupByDay } from '../../chat/list/group-by-day.ts';
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

test('counts days by the calendar when the clocks were changed between them', (context) => {
  const before = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
  context.after(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  // On 25 October 2026 the day has 25 hours.
  const noon = new Date('2026-10-26T12:00:00+01:00');
  assert.deepEqual(rangeOf('yesterday', noon), {
    since: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  });
  const conversation = (last_updated_at: string) => ({ pinned: false, last_updated_at });
  const early = groupByDay([conversation('2026-10-25T00:30:00+02:00')], noon);
  assert.deepEqual(early[0]?.group, 'yesterday');
  assert.deepEqual(groupByDay([conversation('2026-10-24T23:30:00+02:00')], noon)[0]?.group, 'week');
});
