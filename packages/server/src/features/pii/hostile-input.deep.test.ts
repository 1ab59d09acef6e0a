import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { makeWordTagger } from '../../drivers/taggers/words.ts';
import { patternRecognisers } from './service.ts';

const units =
  'a|1|1-|1.|1:|1 |12 |a.|@|a@|a@b.|"@|://|http://|http://a.com/(|http://a.com/)|(|+1 |4111 |555-123-4567 |030 123456 |12345678\n|DE89 |DE89|bc1q|0xaBcD|1/1/|May |5 May |10:30 |AB1234563 |::|f:|www.|a.com |a-|Aa |Mr Aa |12 Aa Bb |van |my name is |A. |Rua |\n|٣|的|\u200b| at | @ |[at]|a%40|a at b dot |a dot |&#46;|a[at]b[dot]|(at) ';
const length = 60_000;

// Quadratic work on this text takes minutes; the limit is far above what a busy machine needs for linear work.
const limit_ms = 4000;

test('no recogniser takes more than linear time on hostile repetitions', async () => {
  const tagger = makeWordTagger();
  await tagger.tag('Anna');
  const finders = [...patternRecognisers, { entities: ['names'], find: tagger.tag }];
  for (const unit of units.split('|')) {
    const text = unit.repeat(Math.ceil(length / unit.length));
    for (const { entities, find } of finders) {
      const before = cpuTime();
      await find(text);
      const ms = cpuTime() - before;
      assert.ok(ms < limit_ms, `${entities.join()} on ${JSON.stringify(unit)}: ${Math.round(ms)} ms`);
    }
  }
});
