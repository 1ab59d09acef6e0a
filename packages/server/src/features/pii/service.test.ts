import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import fc from 'fast-check';
import type { Tagger } from '../../drivers/taggers/driver.ts';
import { makeFindPii } from './service.ts';

/** Tags every "Anna" as a person and every "Annaberg" as a place. */
const tagger: Tagger = {
  tag: async (text) => [
    ...Array.from(text.matchAll(/Anna/g), ({ index }) => ({
      entity: 'PERSON' as const,
      start: index,
      end: index + 4,
      score: 0.5,
    })),
    ...Array.from(text.matchAll(/JSON/g), ({ index }) => ({
      entity: 'PERSON' as const,
      start: index,
      end: index + 4,
      score: 0.9,
    })),
    ...Array.from(text.matchAll(/Annaberg/g), ({ index }) => ({
      entity: 'LOCATION' as const,
      start: index,
      end: index + 8,
      score: 0.5,
    })),
  ],
};
const find = makeFindPii({ tagger });

const valuesIn = async (text: string, entities: readonly PiiEntity[] = piiEntities) =>
  (await find(text, entities)).map(({ entity, start, end }) => [entity, text.slice(start, end)]);

/** One value of each entity that matches no other entity. */
const samples: [PiiEntity, string][] = [
  ['PERSON', 'Anna'],
  ['EMAIL_ADDRESS', 'jo.doe+x@example.co.uk'],
  ['PHONE_NUMBER', '+44 20 7946 0958'],
  ['CREDIT_CARD', '4012 8888 8888 1881'],
  ['CRYPTO', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['CRYPTO', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['IP_ADDRESS', '2001:db8::8a2e:370:7334'],
  ['DATE_TIME', '2021-05-12T10:30:00Z'],
  ['MEDICAL_LICENSE', 'BB1388568'],
  ['URL', 'https://example.com/a?b=c'],
  ['IBAN_CODE', 'DE89 3704 0044 0532 0130 00'],
];
/** Emoji, halves of surrogate pairs and signs of many scripts, none of which can be part of a value. */
const signs = fc.constantFrom(
  ' ',
  '\n',
  '😀',
  '👩🏽‍🚀',
  '\ud83d',
  '“',
  '”',
  '،',
  '。',
  '!',
  '?',
  '(',
  ')',
  '…',
  '\u200b',
  '\ufe0f',
);
const around = fc.array(signs, { maxLength: 8 }).map((parts) => ` ${parts.join('')} `);

suite('finding personal data', () => {
  test('returns the right offsets in any surroundings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), around, around, async ([entity, value], before, after) => {
        const text = `${before}${value}${after}`;
        assert.deepEqual(await valuesIn(text, [entity]), [[entity, value]]);
      }),
      { numRuns: 300 },
    );
  });

  test('does not take names of formats for persons', async () => {
    assert.deepEqual(await valuesIn('Anna, answer with JSON alone.'), [['PERSON', 'Anna']]);
  });

  test('leaves empty brackets beside a number out of it', async () => {
    for (const after of [' () ', '( )', ' ()()'])
      assert.deepEqual(await valuesIn(`+44 20 7946 0958${after}`, ['PHONE_NUMBER']), [
        ['PHONE_NUMBER', '+44 20 7946 0958'],
      ]);
  });

  test('returns sorted spans inside the text without overlaps, for any text', async () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(...samples.map(([, value]) => value)),
      fc.constantFrom('@', '.', ':', '/', '+', '1', ' ', '\u200b', '٣', '-'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end, score } of await find(text, piiEntities)) {
          assert.ok(start >= last && end > start && end <= text.length && score > 0 && score <= 1);
          last = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('finds only the listed entities, and only they compete', async () => {
    const text = 'http://192.168.0.1/x';
    assert.deepEqual(await valuesIn(text), [['URL', text]]);
    assert.deepEqual(await valuesIn(text, ['IP_ADDRESS']), [['IP_ADDRESS', '192.168.0.1']]);
    assert.deepEqual(await valuesIn(text, []), []);
    assert.deepEqual(await valuesIn('Annaberg', ['PERSON']), [['PERSON', 'Anna']]);
    assert.deepEqual(await valuesIn('Annaberg', ['PERSON', 'LOCATION']), [['LOCATION', 'Annaberg']]);
  });

  test('prefers a validated value, then the longer one', async () => {
    assert.deepEqual(await valuesIn('Anna@example.com'), [['EMAIL_ADDRESS', 'Anna@example.com']]);
    assert.deepEqual(await valuesIn('card phone 4012888888881881'), [['CREDIT_CARD', '4012888888881881']]);
    assert.deepEqual(await valuesIn('2021-05-12 10:30'), [['DATE_TIME', '2021-05-12 10:30']]);
  });

  test('finds reserved host names after an @ or a scheme, but not alone', async () => {
    assert.deepEqual(await valuesIn('to kim@corp.example and jo@mail.home.'), [
      ['EMAIL_ADDRESS', 'kim@corp.example'],
      ['EMAIL_ADDRESS', 'jo@mail.home'],
    ]);
    assert.deepEqual(await valuesIn('see https://wiki.test/a?b=c'), [['URL', 'https://wiki.test/a?b=c']]);
    assert.deepEqual(await valuesIn('copy settings.example and a.test'), []);
  });

  test('finds values with other digits, full-width letters and invisible characters', async () => {
    assert.deepEqual(await valuesIn('نص ٤٠١٢٨٨٨٨٨٨٨٨١٨٨١'), [['CREDIT_CARD', '٤٠١٢٨٨٨٨٨٨٨٨١٨٨١']]);
    assert.deepEqual(await valuesIn('ｊｏ＠ｅｘａｍｐｌｅ．ｃｏｍ!'), [
      ['EMAIL_ADDRESS', 'ｊｏ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
    ]);
    assert.deepEqual(await valuesIn('\u200bjo@ex\u00adample.com\u200b'), [['EMAIL_ADDRESS', 'jo@ex\u00adample.com']]);
    assert.deepEqual(await valuesIn('4012\u200b888888881881 x'), [['CREDIT_CARD', '4012\u200b888888881881']]);
  });

  test('finds encoded and spelled-out addresses as a whole', async () => {
    for (const value of [
      'john%40example.com',
      'john&#64;example.com',
      'john&#x40;example.com',
      'john&commat;example.com',
      'john[at]example.com',
      'john(at)example.com',
      'john (at) example.com',
      'john [at] example [dot] com',
      'john @ example.com',
      'john at example dot com',
      'john.doe＠example.com',
    ])
      assert.deepEqual(await valuesIn(`write: ${value}, or call`, ['EMAIL_ADDRESS']), [['EMAIL_ADDRESS', value]]);
    for (const text of ['look at example.com', 'meet at noon dot', 'we are @ example.com', 'look at example dot com'])
      assert.deepEqual(await valuesIn(text, ['EMAIL_ADDRESS']), [], text);
  });

  test('does not take other numbers for phone numbers, even when only phone numbers are asked for', async () => {
    for (const [entity, value] of samples)
      if (entity !== 'PHONE_NUMBER') assert.deepEqual(await valuesIn(`phone? ${value}`, ['PHONE_NUMBER']), [], value);
  });

  test('cuts a date out of a name and keeps the name beside it', async () => {
    const text = 'né le 14 juillet 1989 à Lyon, tel.';
    const greedy: Tagger = { tag: async () => [{ entity: 'LOCATION', start: 0, end: 28, score: 0.6 }] };
    const values = async (entities: readonly PiiEntity[]) =>
      (await makeFindPii({ tagger: greedy })(text, entities)).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(await values(piiEntities), ['14 juillet 1989', 'Lyon']);
    assert.deepEqual(await values(['LOCATION']), ['né le 14 juillet 1989 à Lyon']);
  });
});

const valuesOf = async (text: string, entity: PiiEntity) =>
  (await makeFindPii({ tagger })(text, [entity])).map(({ start, end }) => text.slice(start, end));

test('finds networks with their mask, and leaves the path of a URL and an impossible mask', async () => {
  assert.deepEqual(await valuesOf('allow 10.0.0.0/8 and fd00::/64.', 'IP_ADDRESS'), ['10.0.0.0/8', 'fd00::/64']);
  assert.deepEqual(await valuesOf('http://10.0.0.1/8 or 10.0.0.1/99', 'IP_ADDRESS'), ['10.0.0.1', '10.0.0.1']);
});

test('finds a day and a month alone after a word that marks a date', async () => {
  assert.deepEqual(await valuesOf('We met on 5/21, her birthday: 21/5', 'DATE_TIME'), ['5/21', '21/5']);
  assert.deepEqual(await valuesOf('Urlaub vom 27.12. bis 3.1. im Norden', 'DATE_TIME'), ['27.12.', '3.1.']);
  assert.deepEqual(await valuesOf('call us on 24/7, 5/21 of it, version 3.1. is out', 'DATE_TIME'), []);
});

test('finds an address with other hosts in its path as one', async () => {
  assert.deepEqual(await valuesOf('see a.com/b.com/(c.com/d), e.org/f', 'URL'), ['a.com/b.com/(c.com/d)', 'e.org/f']);
});

test('finds telephone numbers with a country code and no plus', async () => {
  assert.deepEqual(await valuesOf('Reach me: 44 20 7946 0958 or 49 30 90182012', 'PHONE_NUMBER'), [
    '44 20 7946 0958',
    '49 30 90182012',
  ]);
  assert.deepEqual(await valuesOf('My phone is 4915123456789', 'PHONE_NUMBER'), ['4915123456789']);
  assert.deepEqual(await valuesOf('It costs 49 301 234 567 yen, batch 20230512103000', 'PHONE_NUMBER'), []);
});
