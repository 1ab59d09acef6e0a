import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';

/** Rows that are sent until they are acknowledged: each is there, and there once. */
export async function rows(chaos: ChaosNodes): Promise<Client> {
  const columns = [{ name: 'word', type: 'text', label: 'Word' }];
  const { id } = await chaos.insist('POST', '/v1/tables', { name: 'Words', columns });
  const acknowledged: string[] = [];
  return {
    async work(number) {
      await chaos.insist('POST', `/v1/tables/${id}/rows`, { word: `word ${number}` });
      acknowledged.push(`word ${number}`);
      await sleep(20);
    },
    async check() {
      const found: string[] = [];
      for (let offset = 0; offset === found.length; offset += 100) {
        const page = await chaos.insist('GET', `/v1/tables/${id}/rows?size=100&offset=${offset}&sort=word`);
        found.push(...page.items.map((row: { word: string }) => row.word));
      }
      const words = new Set(found);
      assert.equal(words.size, found.length, 'no row is there twice');
      assert.deepEqual(
        acknowledged.filter((word) => !words.has(word)),
        [],
        'no acknowledged row is lost',
      );
      return `${acknowledged.length} rows`;
    },
  };
}
