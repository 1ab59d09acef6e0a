import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../src/db/embedded/testing.ts';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../test/support/server-process.ts';

const key = 'ingest-kill-admin-key-0123456789';

/** Kills the program again and again while it trains documents; in the end every one is there, once. */
export async function ingestThroughKills({ documents, kills }: { documents: number; kills: number }): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-ingest-'));
  let server: ServerProcess | undefined;
  const start = async () => {
    server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'ingest-kill-secret-key-0123' } });
    return server.ready;
  };
  const api = async (address: string, method: string, path: string, body?: FormData | object) => {
    const form = body instanceof FormData;
    const headers = { 'x-api-key': key, ...(body && !form && { 'content-type': 'application/json' }) };
    const sent = body && { body: form ? body : JSON.stringify(body) };
    const response = await fetch(`${address}/v1/knowledge-bases${path}`, { method, headers, ...sent });
    assert.equal(response.status, 200, await response.clone().text());
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
    return (await response.json()) as any;
  };

  try {
    let address = await start();
    const { id } = await api(address, 'POST', '', { name: 'kill', settings_: { auto_summary: false } });
    for (let at = 0; at < documents; at += 50) {
      const form = new FormData();
      for (let one = at; one < Math.min(documents, at + 50); one++)
        form.append('files', new Blob([`Document number${one} about walnuts. `.repeat(30)]), `d${one}.txt`);
      await api(address, 'POST', `/${id}/upload_train`, form);
    }
    for (let kill = 0; kill < kills; kill++) {
      await sleep(150 + Math.random() * 500);
      await (kill % 2 ? server?.killEverything() : server?.kill());
      address = await start();
    }
    const until = Date.now() + 600_000;
    for (;;) {
      const base = await api(address, 'GET', `/${id}`);
      if (base.training_documents === 0) break;
      assert.ok(Date.now() < until, `still training: ${JSON.stringify(base.progress_details)}`);
      await sleep(200);
    }
    const base = await api(address, 'GET', `/${id}`);
    assert.deepEqual(
      [base.total_documents, base.trained_documents, base.error_documents, base.health.status],
      [documents, documents, 0, 'ok'],
    );
    const [counts] = (await sql(
      databaseOf(dir),
      `select count(*)::int as chunks, count(distinct document_id)::int as documents, count(distinct (document_id, position))::int as places from kb_chunks`,
    )) as unknown as { chunks: number; documents: number; places: number }[];
    assert.deepEqual([counts?.documents, counts?.places], [documents, counts?.chunks], 'no passage is there twice');
    for (const one of [0, documents >> 1, documents - 1]) {
      const hits = await api(address, 'POST', `/${id}/search`, { query: `number${one}`, top_k: 50 });
      const names = new Set(hits.map((hit: { document_source: { name: string } }) => hit.document_source.name));
      assert.deepEqual([...names], [`d${one}.txt`]);
      const ids = hits.map((hit: { citation: { chunk_id: string } }) => hit.citation.chunk_id);
      assert.equal(new Set(ids).size, ids.length);
    }
    assert.equal(await server?.stop(), 0);
    return `${documents} documents, ${kills} kills, ${counts?.chunks} passages`;
  } finally {
    if (server?.child.exitCode === null) server.child.kill('SIGKILL');
    killAll(postgresIn(dir));
    await gone(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
