import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeEvery, readCron, saySchedule, writeCron } from './schedule.ts';

test('says a cron expression in words and writes the same expression again', () => {
  const said: Record<string, string> = {
    '0 9 * * 1': 'Every Monday at 09:00',
    '30 8 * * 1-5': 'Every working day at 08:30',
    '5 * * * *': 'Every hour at 05 past',
    '0 0 * * *': 'Every day at 00:00',
    '15 18 31 * *': 'On day 31 of every month at 18:15',
    '0 7 * * 1,3,0': 'Every Monday, Wednesday, and Sunday at 07:00',
  };
  for (const [cron, words] of Object.entries(said)) {
    assert.equal(saySchedule(readCron(cron)), words);
    assert.equal(writeCron(readCron(cron)), cron);
  }
});

test('reads names of days and ranges over Sunday', () => {
  assert.equal(saySchedule(readCron('0 9 * * mon')), 'Every Monday at 09:00');
  assert.equal(saySchedule(readCron('0 9 * * 6-7')), 'Every Saturday and Sunday at 09:00');
  assert.equal(saySchedule(readCron(' 0  9 * * SAT-SUN ')), 'Every Saturday and Sunday at 09:00');
});

test('keeps an expression as it is when people do not say it so', () => {
  for (const cron of ['*/5 * * * *', '0 9 1 * 1', '0 9 * 2 *', '0 9-17 * * *', '61 9 * * *', '0 9 * * 8', 'soon', ''])
    assert.deepEqual(readCron(cron), { every: 'other', cron });
});

test('keeps the time when the rhythm changes', () => {
  const monday = readCron('30 8 * * 1');
  assert.equal(writeCron(changeEvery(monday, 'month')), '30 8 1 * *');
  assert.equal(writeCron(changeEvery(monday, 'other')), '30 8 * * 1');
  assert.equal(writeCron(changeEvery(readCron('*/5 * * * *'), 'day')), '0 9 * * *');
});
