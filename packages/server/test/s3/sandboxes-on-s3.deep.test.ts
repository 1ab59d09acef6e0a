import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileServer } from '../../src/features/files/testing.ts';
import { enginesHere, sandboxConfig } from '../../src/features/sandboxes/testing.ts';
import { otherNode } from '../support/other-node.ts';
import { s3Server } from '../support/s3/s3-server.ts';
import { until } from '../support/two-nodes.ts';

for (const engine of enginesHere) {
  const store = await s3Server({ prefix: `${engine}/` });
  const config = { blobs: store.place, encrypt_at_rest: true, ...sandboxConfig({ engine }) };
  const first = await fileServer(config);
  const second = await otherNode(first, config);
  const at = '/v1/sandboxes';
  const nodes = [first, second] as const;
  const stored = () => [...store.objects.keys()].filter((key) => key.startsWith(`${engine}/blobs/`)).length;
  async function make(): Promise<string> {
    const { status, json, text } = await first.call('POST', at, { label: 'shared', persistent: true });
    assert.equal(status, 200, text);
    return json.id;
  }
  async function run(node: (typeof nodes)[number], id: string, command: string, timeout = 60) {
    const { status, json, text } = await node.call('POST', `${at}/${id}/exec`, { command, timeout });
    assert.equal(status, 200, text);
    return json as { stdout: string; stderr: string; reason: string; exit_code: number };
  }

  test(`${engine}: nodes without a disk in common find the files of a sandbox`, async () => {
    const id = await make();
    const made = await run(
      first,
      id,
      'mkdir -p a/b a/empty && echo one > a/b/f && echo x > plain && chmod 600 plain && cat a/b/f',
    );
    assert.equal(made.stdout, 'one\n', made.stderr);
    const there = await run(second, id, 'cat a/b/f && ls a && stat -c %a plain && echo two > a/b/f && rm plain');
    assert.match(there.stdout, /^one\nb\nempty\n(100)?600\n$/, there.stderr);
    const back = await run(first, id, 'cat a/b/f; ls');
    assert.equal(back.stdout, 'two\na\n', back.stderr);
  });

  test(`${engine}: files are written, listed, read and removed on any node`, async () => {
    const id = await make();
    const write = { path: 'deep/numbers.txt', content: 'from two', encoding: 'utf-8' };
    assert.equal((await second.call('POST', `${at}/${id}/files`, write)).status, 200);
    assert.equal((await run(first, id, 'cat deep/numbers.txt')).stdout, 'from two');
    await run(first, id, 'echo later > deep/later.txt');
    const listed = await second.call('GET', `${at}/${id}/files?path=deep`);
    const paths = listed.json.items.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths, ['deep/later.txt', 'deep/numbers.txt']);
    const read = await second.call('GET', `${at}/${id}/files/content?path=deep/later.txt`);
    assert.equal(read.text, 'later\n', String(read.status));
  });

  test(`${engine}: a command that changes nothing stores nothing`, async () => {
    const id = await make();
    await run(first, id, 'echo one > f');
    const before = store.asked.filter((line) => line.startsWith('PUT')).length;
    await run(first, id, 'cat f');
    await run(second, id, 'cat f');
    assert.equal(store.asked.filter((line) => line.startsWith('PUT')).length, before);
  });

  test(`${engine}: a node says what the disk holds when it has the newest files, and else null`, async () => {
    const id = await make();
    const used = async (node: (typeof nodes)[number]) => (await node.call('GET', `${at}/${id}`)).json.disk_bytes;
    await run(first, id, 'echo one > f');
    assert.equal(typeof (await used(first)), 'number');
    assert.equal(await used(second), null, 'it has no files');
    await run(second, id, 'echo two > f');
    assert.equal(typeof (await used(second)), 'number');
    assert.equal(await used(first), null, 'it has old files');
  });

  test(`${engine}: one node at a time runs commands in a sandbox, and none loses what another did`, async () => {
    const id = await make();
    await Promise.all([0, 1, 2, 3].map((at) => run(nodes[at % 2] as typeof first, id, `echo ${at} >> log`)));
    const { stdout } = await run(first, id, 'sort log');
    assert.equal(stdout, '0\n1\n2\n3\n');
  });

  test(`${engine}: a command whose files can't be stored fails, and goes on from the disk of its node`, async () => {
    const id = await make();
    store.fail(({ method }) => method === 'PUT', ...Array(5).fill({ status: 503, code: 'SlowDown' }));
    const { status, json } = await first.call('POST', `${at}/${id}/exec`, { command: 'echo kept > f' });
    assert.deepEqual([status, json.code], [503, 'unavailable']);
    assert.equal((await run(first, id, 'cat f')).stdout, 'kept\n');
    assert.equal((await run(second, id, 'cat f')).stdout, 'kept\n');
  });

  test(`${engine}: the node of a command that died is waited for no longer than its lease`, async () => {
    const id = await make();
    await run(first, id, 'echo one > f');
    await first.query(
      `update sandboxes set used_by = gen_random_uuid(), used_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    assert.equal((await run(second, id, 'cat f', 1)).reason, 'concurrency');
    assert.equal((await second.call('GET', `${at}/${id}/files?path=`)).status, 200, 'reading does not wait');
    await first.query(`update sandboxes set used_until = now() - interval '1 second' where id = $1`, [id]);
    assert.equal((await run(second, id, 'cat f')).stdout, 'one\n');
  });

  test(`${engine}: a deleted sandbox is gone from the bucket and from every node`, async () => {
    const id = await make();
    await run(first, id, 'echo one > f');
    await run(second, id, 'cat f');
    const there = (dir: string) => existsSync(join(dir, 'sandboxes', id));
    assert.ok(there(first.data_dir) && there(second.data_dir));
    const before = stored();
    assert.equal((await second.call('DELETE', `${at}/${id}`)).status, 200);
    await until('its copies are gone', () => !there(first.data_dir) && !there(second.data_dir));
    assert.equal(stored(), before - 1);
  });
}
