import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Files that are sent until they are acknowledged: each can be read as it was sent. */
export function files(chaos: ChaosNodes): Client {
  const sent = new Map<string, string>();
  return {
    async work(number) {
      const bytes = randomBytes(50_000 + (number % 7) * 30_000);
      const form = new FormData();
      form.append('file', new Blob([bytes]), `file${number}.bin`);
      const { id } = await chaos.insist('POST', '/v1/files', form);
      assert.ok(!sent.has(id), `${id} is a file of its own`);
      sent.set(id, hashOf(bytes));
      await sleep(500);
    },
    async check() {
      for (const [id, hash] of sent)
        assert.equal(hashOf(await chaos.download(`/v1/files/${id}`)), hash, `${id} has the bytes that were sent`);
      return `${sent.size} files`;
    },
  };
}
