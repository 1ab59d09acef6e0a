import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';

/** Documents of a knowledge base: all are trained in the end, and each is found. */
export async function documents(chaos: ChaosNodes): Promise<Client> {
  const { id } = await chaos.insist('POST', '/v1/knowledge-bases', {
    name: 'Base',
    settings_: { auto_summary: false },
  });
  const names: string[] = [];
  return {
    async work(number) {
      const name = `document${number}.txt`;
      const form = new FormData();
      form.append('files', new Blob([`The code of box ${number} is walnut${number}. `.repeat(40)]), name);
      await chaos.insist('POST', `/v1/knowledge-bases/${id}/upload_train`, form);
      names.push(name);
      await sleep(1500);
    },
    async check() {
      for (const end = Date.now() + 60_000; ; await sleep(200)) {
        const base = await chaos.insist('GET', `/v1/knowledge-bases/${id}`);
        if (base.training_documents === 0 && base.trained_documents === names.length) break;
        if (Date.now() < end) continue;
        const others = await chaos.query(
          `select name, status, stage, begun, error from kb_documents where status <> 'trained'`,
        );
        assert.fail(`${base.trained_documents} of ${names.length} are trained: ${JSON.stringify(others)}`);
      }
      for (const name of names) {
        const word = `walnut${name.match(/\d+/)?.[0]}`;
        const body = { query: word, top_k: 50 };
        const results = await chaos.insist('POST', `/v1/knowledge-bases/${id}/search`, body);
        assert.ok(JSON.stringify(results).includes(word), `${name} is found`);
      }
      return `${names.length} documents`;
    },
  };
}
