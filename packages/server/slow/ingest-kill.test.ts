import { test } from 'node:test';
import { ingestThroughKills } from './ingest-through-kills.ts';

test('500 documents, killed again and again while they are trained, all end trained and none twice', async (t) => {
  t.diagnostic(await ingestThroughKills({ documents: 500, kills: 6 }));
});
