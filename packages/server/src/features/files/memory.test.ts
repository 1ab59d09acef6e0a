import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { fileServer, formEnd, formStart } from './testing.ts';

const { address, place, stream } = await fileServer();

const megabytes = 150;
const rssNow = () => process.memoryUsage.rss() / 1024 / 1024;

/** The most memory that this process, server and client in one, took while something ran, beyond what it had. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = rssNow();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, rssNow());
  }, 10);
  await work();
  clearInterval(timer);
  return most - before;
}

test(`${megabytes} MB go in and out without being held in memory`, async (t) => {
  const chunk = Buffer.alloc(65_536, 'x');
  function* form() {
    yield formStart;
    for (let i = 0; i < megabytes * 16; i++) yield chunk;
    yield formEnd;
  }
  // A first round, so that what is measured is the file and not the program warming up.
  await stream([formStart, Buffer.alloc(10_000_000), formEnd]).answer;

  let id = '';
  const up = await growthOf(async () => {
    const { status, json } = await stream(form()).answer;
    assert.deepEqual([status, json.size], [200, megabytes * 1024 * 1024]);
    id = json.id;
  });
  let received = 0;
  const down = await growthOf(
    () =>
      new Promise((resolve, reject) => {
        request(`${address}/v1/files/${id}`, { headers: { 'x-api-key': place.key } }, (response) => {
          response.on('data', (data: Buffer) => {
            received += data.length;
          });
          response.on('end', resolve).on('error', reject);
        }).end();
      }),
  );
  assert.equal(received, megabytes * 1024 * 1024);
  t.diagnostic(`grew by ${Math.round(up)} MB uploading, ${Math.round(down)} MB downloading`);
  assert.ok(up < 110, `uploading took ${Math.round(up)} MB`);
  assert.ok(down < 110, `downloading took ${Math.round(down)} MB`);
});
