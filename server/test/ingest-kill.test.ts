import { test } from 'node:test';
import { ingestThroughKills } from './ingest-kill.ts';

test('a kill in the middle of training loses no document and makes none twice', async (t) => {
  t.diagnostic(await ingestThroughKills({ documents: 40, kills: 2 }));
});
