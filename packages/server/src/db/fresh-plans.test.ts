import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../test/support/test-app.ts';

const { query } = await testApp();

for (const table of ['conversations', 'runs'])
  test(`finds a row of ${table} by its key when the table was never analyzed`, async () => {
    const [{ reltuples }] = await query(`select reltuples from pg_class where oid = '${table}'::regclass`);
    assert.equal(reltuples, -1, 'never analyzed');
    const plan = JSON.stringify(
      await query(`explain select * from ${table} where workspace_id = '${randomUUID()}' and id = '${randomUUID()}'`),
    );
    assert.match(plan, new RegExp(`using ${table}_(by_id|pkey) on`), 'no index of another order is read through');
  });
