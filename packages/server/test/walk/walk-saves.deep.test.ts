import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodAndPath, takesIfMatch } from '@atrium/contract/operation.ts';
import type { Route } from '../../src/lib/route.ts';
import { type Answer, testApp } from '../support/test-app.ts';
import { makePlace, makeTenant, type Place } from './walk-fixtures.ts';
import { requestTo } from './walk-requests.ts';

// Every operation that takes If-Match, with an old version, with the current one, and by several clients at once.

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { app, call } = testing;
// People alone have preferences; preferences.test.ts tries these.
const routes = app.routes.filter((route) => takesIfMatch(route) && route.permission !== 'session');

const stranger = await makeTenant(testing);

async function senderOf(route: Route, place: Place) {
  const { good } = await requestTo(route, place);
  return (if_match: string, key = place.system_key) =>
    call(methodAndPath(route).method, good.url, good.body, {
      ...{ key, headers: { ...good.headers, 'if-match': if_match } },
    });
}

/** Rows have their version in a header, all other records in the body. */
const etagOf = ({ json, headers }: Answer) => String(json.etag ?? headers['etag']).replaceAll('"', '');

test('there are operations with If-Match to try', () => assert.ok(routes.length >= 36, String(routes.length)));

for (const route of routes)
  test(`${route.route} refuses an old If-Match, says who has changed the record, and lets one of several clients win`, async () => {
    const place = await makePlace(testing);
    const send = await senderOf(route, place);
    const me = (await place.make('GET', '/v1/admin/me')).id;

    const hidden = await send('"1-0"', stranger);
    // Every organization has the presets that are built in.
    if (route.params && route.id !== 'presets.set')
      assert.deepEqual([hidden.status, hidden.json.etag], [404, undefined], hidden.text);
    const refused = await send('"1-0"');
    assert.deepEqual([refused.status, refused.json.code], [409, 'etag_mismatch'], refused.text);
    const { etag } = refused.json;
    const answers = await Promise.all([send(`"${etag}"`), send(etag), send(`W/"${etag}"`)]);
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1, answers.map(({ text }) => text).join('\n'));
    // After a rename there is no column of the old name.
    if (route.id === 'columns.rename') return;
    const losers = answers.filter(({ json }) => json.code === 'etag_mismatch');
    assert.equal(losers.length, 2, answers.map(({ text }) => text).join('\n'));

    const late = await send(etag);
    assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch'], late.text);
    assert.equal(late.json.etag, etagOf(winners[0] as Answer));
    assert.deepEqual([late.json.updated_by, late.json.updated_by_actor.id], [me, me], late.text);
    assert.ok(Math.abs(Date.parse(late.json.updated_at) - Date.now()) < 60_000, late.text);
    assert.equal((await send('*')).status, 200);
    const again = await send(etagOf(await send('*')));
    assert.equal(again.status, 200, again.text);
  });
