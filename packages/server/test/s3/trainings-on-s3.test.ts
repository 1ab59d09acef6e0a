import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { knowledgeApp } from '../../src/features/knowledge-bases/testing.ts';
import { s3Server } from '../support/s3/s3-server.ts';

const store = await s3Server({ prefix: 'atrium/' });
const data_dir = mkdtempSync(join(tmpdir(), 'atrium-kb-s3-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const { base, fill, found, query } = await knowledgeApp({ blobs: store.place, data_dir });

test('trains a document after the store was away, however often its training was cut off before', async () => {
  await query('alter table kb_documents alter begun set default 5');
  const id = await base();
  let reads = 0;
  const isRead = ({ method, key }: { method: string; key: string }) => {
    const fits = method === 'GET' && key.includes('blobs/');
    if (fits) reads += 1;
    return fits;
  };
  store.fail(isRead, ...Array(5).fill({ status: 503, code: 'SlowDown' }));
  await fill(id, { 'a.txt': 'The lighthouse keeper is Ada.' });
  assert.ok(reads >= 5, 'the store was away when the document was read');
  assert.deepEqual(await found(id, 'lighthouse keeper'), ['a.txt']);
});
