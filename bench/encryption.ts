import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeDiskBlobs } from '../packages/server/src/drivers/blobs/disk.ts';
import { makeEncryptedBlobs } from '../packages/server/src/drivers/blobs/encrypted.ts';
import { newId } from '../packages/server/src/lib/ids.ts';
import { newBoxKey } from '../packages/server/src/lib/secrets/sealed-box.ts';

/** How fast blobs are stored and read with ATRIUM_ENCRYPT_AT_REST off and on: medians of rounds that take turns. */
const [megabytes, rounds] = [128, 5];
const dir = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'atrium-bench-blobs-'));
const [key, owner, part] = [newBoxKey(), newId(), randomBytes(65_536)];
const keys = { current: async () => key, find: async () => key };
const speeds = new Map<string, number[]>();

async function measure(what: string, amount: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  const speed = amount / ((performance.now() - began) / 1000);
  speeds.set(what, [...(speeds.get(what) ?? []), speed]);
}

async function readAll(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

try {
  for (let round = 0; round < rounds; round++)
    for (const encrypt of [false, true]) {
      const name = encrypt ? 'on' : 'off';
      const blobs = makeEncryptedBlobs(makeDiskBlobs(dir), { keys, encrypt });
      const id = newId();
      const content = Readable.from(Array.from({ length: megabytes * 16 }, () => part));
      await measure(`${name}: store, MB/s`, megabytes, () => blobs.put(owner, id, content, 1e12));
      await measure(`${name}: read, MB/s`, megabytes, async () => readAll(await blobs.get(owner, id)));
      await measure(`${name}: ranges of 1 kB, per second`, 500, async () => {
        for (let count = 0; count < 500; count++) {
          const start = (count * 524_287) % (megabytes * 1_000_000);
          await readAll(await blobs.get(owner, id, { start, end: start + 999 }));
        }
      });
      await blobs.delete(owner, id);
    }
  for (const [what, all] of [...speeds].sort()) {
    const sorted = all.toSorted((a, b) => a - b);
    const [least, middle, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    process.stdout.write(`${what}: ${middle?.toFixed(0)} (${least?.toFixed(0)}–${most?.toFixed(0)})\n`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
