import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call, logged } = await testApp();
const find = (body: unknown) => call('POST', '/v1/safety/pii', body);

suite('POST /v1/safety/pii', () => {
  test('returns where values are, and the text with numbered placeholders', async () => {
    const text = '😀 Emma Johnson (emma@example.com) and Peter Parker (peter@example.com): Emma Johnson paid.';
    const { status, json } = await find({ text });
    assert.equal(status, 200);
    assert.deepEqual(
      json.spans.map(({ entity, start, end }: { entity: string; start: number; end: number }) => [
        entity,
        text.slice(start, end),
      ]),
      [
        ['PERSON', 'Emma Johnson'],
        ['EMAIL_ADDRESS', 'emma@example.com'],
        ['PERSON', 'Peter Parker'],
        ['EMAIL_ADDRESS', 'peter@example.com'],
        ['PERSON', 'Emma Johnson'],
      ],
    );
    assert.deepEqual(Object.keys(json.spans[0]).sort(), ['end', 'entity', 'score', 'start']);
    assert.equal(
      json.anonymized_text,
      '😀 <PERSON_1> (<EMAIL_ADDRESS_1>) and <PERSON_2> (<EMAIL_ADDRESS_2>): <PERSON_1> paid.',
    );
  });

  test('finds only the entities that were asked for', async () => {
    const text = 'Emma Johnson, emma@example.com';
    const { json } = await find({ text, entities: ['EMAIL_ADDRESS'] });
    assert.equal(json.anonymized_text, 'Emma Johnson, <EMAIL_ADDRESS_1>');
    assert.deepEqual((await find({ text, entities: [] })).json, { spans: [], anonymized_text: text });
    assert.deepEqual((await find({ text: '' })).json, { spans: [], anonymized_text: '' });
  });

  test('finds dates of day and month alone, networks with their mask, and numbers with a country code but no plus', async () => {
    const cases: [text: string, anonymized: string][] = [
      ['She was born on 27 May.', 'She was born on <DATE_TIME_1>.'],
      ['Her birthday is May 27th', 'Her birthday is <DATE_TIME_1>'],
      ['Geboren am 3. Oktober', 'Geboren am <DATE_TIME_1>'],
      ['born on 27/05, she said', 'born on <DATE_TIME_1>, she said'],
      ['allow 10.20.0.0/16 and 2001:db8::/32', 'allow <IP_ADDRESS_1> and <IP_ADDRESS_2>'],
      ['call 49 30 901820 today', 'call <PHONE_NUMBER_1> today'],
      ['call 44 20 7946 0958', 'call <PHONE_NUMBER_1>'],
      ['version 10.2 of May, ratio 27/05', 'version 10.2 of May, ratio 27/05'],
    ];
    const entities = ['DATE_TIME', 'IP_ADDRESS', 'PHONE_NUMBER'];
    const found = await Promise.all(cases.map(async ([text]) => (await find({ text, entities })).json.anonymized_text));
    assert.deepEqual(
      found,
      cases.map(([, anonymized]) => anonymized),
    );
  });

  test('refuses an unknown entity by name', async () => {
    const { status, json } = await find({ text: 'x', entities: ['PERSON', 'SHOE_SIZE'] });
    assert.equal(status, 422);
    assert.equal(json.detail[0].type, 'literal_error');
    assert.deepEqual(json.detail[0].loc, ['body', 'entities', '1']);
    assert.equal((await find({})).json.detail[0].type, 'missing');
  });

  test('answers other requests while a long text is searched', async () => {
    await find({ text: 'Emma Johnson' });
    for (const unit of ['a@', 'foo.de/)', '030 1234567\n']) {
      const order: string[] = [];
      const long = find({ text: unit.repeat(400_000 / unit.length) }).then(({ status }) => {
        order.push('long');
        return status;
      });
      // Sent once the search is under way, one after the other.
      for (let sent = 0; sent < 3; sent++) {
        assert.equal((await find({ text: 'emma@example.com' })).json.spans.length, 1);
        order.push('short');
      }
      assert.equal(await long, 200);
      assert.deepEqual(order, ['short', 'short', 'short', 'long'], unit);
    }
  });

  test('does not log the text', async () => {
    await find({ text: 'my card is 4012888888881881' });
    assert.ok(!logged.join('').includes('4012888888881881'));
  });
});
