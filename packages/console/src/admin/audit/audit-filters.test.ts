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

test('asks for days of 23 and 25 hours when the clocks were changed', () => {
  assert.deepEqual(rangeOf('yesterday', new Date('2026-10-26T12:00:00+01:00'), 'Europe/Berlin'), {
    since: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  });
  assert.deepEqual(rangeOf('yesterday', new Date('2026-03-30T00:30:00+02:00'), 'Europe/Berlin'), {
    since: '2026-03-28T23:00:00.000Z',
    until: '2026-03-29T22:00:00.000Z',
  });
  assert.deepEqual(rangeOf('7', new Date('2026-11-04T12:00:00-05:00'), 'America/New_York'), {
    since: '2026-10-29T04:00:00.000Z',
  });
});

test('takes the days of the zone that the person chose', () => {
  const now = new Date('2026-11-16T20:00:00Z');
  assert.deepEqual(rangeOf('today', now, 'Asia/Tokyo'), { since: '2026-11-16T15:00:00.000Z' });
  const { since } = auditFilters({ when: 'today' }, 'Asia/Tokyo') ?? {};
  assert.match(since ?? '', /T15:00:00\.000Z$/);
});
