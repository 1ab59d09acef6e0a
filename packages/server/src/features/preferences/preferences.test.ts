import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const { call } = await testApp();
const { aMember } = await makePeopleIn({ call });
const path = '/v1/me/preferences';
const defaults = {
  theme: 'system',
  density: 'comfortable',
  language: 'en',
  single_keys: true,
  pinned: [],
  saved_filters: [],
  send_key: 'enter',
  widths: {},
  notifications: {},
};

test('keeps the preferences of each person apart, and has defaults for the rest', async () => {
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  assert.deepEqual((await call('GET', path, undefined, as(bo.cookie))).json, defaults);
  const own = {
    ...{ theme: 'dark', time_zone: 'Europe/Paris', widths: { sidebar: 240 } },
    pinned: [{ kind: 'agent', id: '01890000-0000-7000-8000-000000000000' }],
    saved_filters: [{ name: 'Waiting', page: 'conversations', query: { status: 'waiting' } }],
  };
  const set = await call('PUT', path, own, as(bo.cookie));
  assert.deepEqual([set.status, set.json], [200, { ...defaults, ...own }]);
  assert.deepEqual((await call('GET', path, undefined, as(bo.cookie))).json, { ...defaults, ...own });
  assert.deepEqual((await call('GET', path, undefined, as(cy.cookie))).json, defaults);
  await call('PUT', path, { density: 'compact' }, as(bo.cookie));
  assert.deepEqual((await call('GET', path, undefined, as(bo.cookie))).json, { ...defaults, density: 'compact' });
});

test('refuses what no interface can show, and API keys', async () => {
  const { cookie } = await aMember('Reader');
  const many = Array.from({ length: 101 }, () => ({ kind: 'agent', id: '01890000-0000-7000-8000-000000000000' }));
  const long = [{ name: 'x', page: 'runs', query: { search: 'x'.repeat(70_000) } }];
  for (const wrong of [
    { theme: 'red' },
    { time_zone: 'Mars' },
    { language: '<b>' },
    { pinned: many },
    { saved_filters: long },
  ])
    assert.equal((await call('PUT', path, wrong, as(cookie))).status, 422, JSON.stringify(wrong).slice(0, 80));
  assert.equal((await call('GET', path)).status, 403);
  assert.equal((await call('GET', path, undefined, { key: null })).status, 401);
});

test('preferences that another device has changed since are not overwritten', async () => {
  const { cookie } = await aMember('Reader');
  const put = (theme: string, if_match: string) => call('PUT', path, { theme }, as(cookie, { 'if-match': if_match }));
  const seen = String((await call('GET', path, undefined, as(cookie))).headers['etag']);
  const first = await put('dark', seen);
  assert.deepEqual([first.status, first.json.theme], [200, 'dark'], first.text);
  const late = await put('light', seen);
  assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch']);
  const read = await call('GET', path, undefined, as(cookie));
  assert.deepEqual([read.json.theme, read.headers['etag']], ['dark', first.headers['etag']]);
  assert.equal((await put('light', String(first.headers['etag']))).status, 200);
});
