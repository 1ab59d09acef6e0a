import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { makeRotationSetup } from '../../../../test/support/rotation-setup.ts';
import { adminKey } from '../../../../test/support/test-config.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import type { App } from '../../../app.ts';
import { openDatabase } from '../../../db/database.ts';
import { makeDiskBlobs } from '../../../drivers/blobs/disk.ts';
import { BlobDamaged } from '../../../drivers/blobs/driver.ts';
import { makeEncryptedBlobs } from '../../../drivers/blobs/encrypted.ts';
import { newId } from '../../../lib/ids.ts';
import { makeLog } from '../../../lib/log.ts';
import { newBoxKey } from '../../../lib/secrets/sealed-box.ts';
import { makeKeyring, makeTenantKeyring } from '../../keyring/service.ts';
import { fixedMasterKey } from '../../keyring/testing.ts';
import { makeBlobKeys } from './blob-keys.ts';
import { makeConvertBlobsJob } from './convert-blobs-job.ts';

const log = makeLog('silent');
const [first, second] = ['the-first-master-key-0123456789', 'the-second-master-key-0123456789'];
const text = `A confidential report. ${'Turnover and wages. '.repeat(8000)}The end.`;
const headers = { 'x-api-key': adminKey };

async function setUp() {
  const data_dir = mkdtempSync(join(tmpdir(), 'atrium-at-rest-'));
  after(() => rmSync(data_dir, { recursive: true, force: true }));
  const rig = await makeRotationSetup({ data_dir, secret_key: first, encrypt_at_rest: true });
  const db = openDatabase({ connection: rig.connection, max: 2, log });
  after(() => db.close());
  const root = join(data_dir, 'blobs');
  const stored = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      // A half-written file is gone a moment later.
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map(({ parentPath, name }) => ({ path: join(parentPath, name), bytes: readFileSync(join(parentPath, name)) }));
  const [{ id: tenant_id }] = await rig.query('select id from tenants');

  /** A store beside those of the nodes, as another process would have it. */
  async function store(encrypt: boolean, more: Parameters<typeof rig.keyring>[0] = {}) {
    const keyrings = {
      workspace: await rig.keyring(more),
      tenant: makeTenantKeyring(db, fixedMasterKey(newBoxKey())),
    };
    const keys = makeBlobKeys({ db, keyrings, tenant_id });
    return { db, keys, blobs: makeEncryptedBlobs(makeDiskBlobs(root), { keys, encrypt }) };
  }

  return {
    ...{ rig, stored, store, tenant_id: tenant_id as string },
    /** The words of the report that lie on the disk. */
    plainWords: () =>
      ['confidential', 'wages', 'The end'].filter((word) => stored().some(({ bytes }) => bytes.includes(word))),
    /** What the hourly job does. */
    async convert(encrypt: boolean, more = {}) {
      const job = makeConvertBlobsJob({ ...(await store(encrypt, more)), encrypt });
      await job.handler({ log, signal: new AbortController().signal }, {});
    },
  };
}

async function upload(node: App, key = adminKey): Promise<{ id: string; size: number }> {
  const payload = `--B\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${text}\r\n--B--\r\n`;
  const form = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=B' };
  const answer = await node.server.inject({ method: 'POST', url: '/v1/files', headers: form, payload });
  assert.equal(answer.statusCode, 200, answer.payload);
  return answer.json();
}

const download = (node: App, id: string, more = {}) =>
  node.server.inject({ method: 'GET', url: `/v1/files/${id}`, headers: { ...headers, ...more } });

async function assertReadable(node: App, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    const whole = await download(node, id);
    assert.equal(whole.statusCode, 200, whole.payload);
    assert.equal(whole.payload, text);
    assert.equal(whole.headers['content-length'], String(text.length));
    const part = await download(node, id, { range: 'bytes=65530-131100' });
    assert.equal(part.statusCode, 206);
    assert.equal(part.payload, text.slice(65_530, 131_101));
  }
}

test('stores files encrypted when the switch is on, and answers them whole, by range and with their plain size', async () => {
  const { rig, plainWords, stored } = await setUp();
  const node = await rig.node();
  const { id, size } = await upload(node);
  assert.equal(size, text.length);
  assert.equal(stored().length, 1);
  assert.deepEqual(plainWords(), []);
  await assertReadable(node, id);
});

test('encrypts files by the job when the switch is set, decrypts them when it is unset, and reads all the while', async () => {
  const { rig, plainWords, convert } = await setUp();
  const [off, on] = [await rig.node({ encrypt_at_rest: false }), await rig.node()];
  const before = await upload(off);
  const since = await upload(on);
  assert.equal(plainWords().length, 3);
  for (const node of [on, off]) await assertReadable(node, before.id, since.id);
  await convert(true);
  assert.deepEqual(plainWords(), []);
  for (const node of [on, off]) await assertReadable(node, before.id, since.id);
  await convert(false);
  assert.equal(plainWords().length, 3);
  for (const node of [on, off]) await assertReadable(node, before.id, since.id);
});

test('a worker with the switch on encrypts the files that were stored before by its job', async () => {
  const { rig, plainWords } = await setUp();
  const { id } = await upload(await rig.node({ encrypt_at_rest: false }));
  assert.equal(plainWords().length, 3);
  const worker = await rig.node({ roles: ['http', 'worker'] });
  await rig.query(`select graphile_worker.add_job('files.convert-blobs', '{}')`);
  await until('the files are encrypted', async () => plainWords().length === 0);
  await assertReadable(worker, id);
});

test('the job leaves folders of unknown workspaces and damaged files as they are, and converts the rest', async () => {
  const { rig, stored, convert, store, plainWords } = await setUp();
  const node = await rig.node();
  await upload(node);
  const [damaged] = stored();
  assert.ok(damaged);
  writeFileSync(damaged.path, damaged.bytes.subarray(0, -1));
  const kept = await upload(node);
  await convert(false);
  assert.ok(readFileSync(damaged.path).equals(damaged.bytes.subarray(0, -1)));
  assert.equal(plainWords().length, 3);
  await assertReadable(node, kept.id);
  const [{ blobs }, unknown] = [await store(false), newId()];
  await blobs.put(unknown, newId(), Readable.from([Buffer.from('of another database')]), 100);
  await convert(true);
  assert.deepEqual(plainWords(), []);
  assert.ok(stored().some(({ bytes }) => bytes.toString() === 'of another database'));
});

test('files open after all keys were replaced and the retired ones are gone, and new files have a new key', async () => {
  const { rig, stored, convert, plainWords } = await setUp();
  const node = await rig.node();
  const { id } = await upload(node);
  const [before] = stored();
  await rig.rotate({ new_secret_key: second });
  await rig.query(`update data_keys set retired_at = now() - interval '2 hours' where retired_at is not null`);
  await rig.sweep();
  const renewed = await rig.node({ secret_key: second });
  const [{ retired }] = await rig.query('select count(*)::int as retired from data_keys where retired_at is not null');
  assert.equal(retired, 0);
  const next = await upload(renewed);
  for (const reader of [node, renewed]) await assertReadable(reader, id, next.id);
  const headersOf = stored().map(({ bytes }) => bytes.subarray(8, 16).toString('hex'));
  assert.equal(new Set(headersOf).size, 2);
  assert.ok(
    stored().some(({ bytes }) => before?.bytes.equals(bytes)),
    'no blob is written anew',
  );
  assert.deepEqual(plainWords(), []);
  await convert(false, { secret_key: second });
  assert.equal(plainWords().length, 3);
  await assertReadable(renewed, id, next.id);
});

test('refuses a file that was moved to another workspace or cut, without a byte of it', async () => {
  const { rig, stored, store } = await setUp();
  const node = await rig.node();
  const { id } = await upload(node);
  const [{ path, bytes }] = stored() as [{ path: string; bytes: Buffer }];
  const group = await node.server.inject({ method: 'POST', url: '/v1/admin/groups', headers, payload: { name: 'b' } });
  const { blobs, keys } = await store(true);
  // The other workspace has a key of its own, and the first one's does not open there.
  assert.equal(await keys.find(group.json().id, bytes.subarray(8, 16).toString('hex')), undefined);
  await blobs.put(group.json().id, id, Readable.from([Buffer.from('x')]), 10);
  const other = stored().find((entry) => entry.path !== path);
  assert.ok(other);
  writeFileSync(other.path, bytes);
  await assert.rejects(blobs.get(group.json().id, id), BlobDamaged);
  writeFileSync(path, bytes.subarray(0, 1000));
  const answer = await download(node, id);
  assert.equal(answer.statusCode, 500);
  assert.ok(!answer.payload.includes('confidential'));
});

test('deletes the keys of files with their workspace', async () => {
  const { rig } = await setUp();
  const node = await rig.node();
  const made = async (url: string, payload: object) =>
    (await node.server.inject({ method: 'POST', url, headers, payload })).json();
  const { id } = await made('/v1/admin/groups', { name: 'short-lived' });
  const { value } = await made(`/v1/admin/groups/${id}/api-keys`, { name: 'k' });
  await upload(node, value);
  const keys = () => rig.query('select 1 from blob_keys where workspace_id = $1', [id]);
  assert.equal((await keys()).length, 1);
  await node.server.inject({ method: 'DELETE', url: `/v1/admin/groups/${id}`, headers });
  assert.equal((await keys()).length, 0);
});

test("encrypts blobs of the organization with the organization's key", async () => {
  const { rig, store, tenant_id, plainWords } = await setUp();
  const { blobs, db } = await store(true);
  const id = newId();
  await blobs.put(tenant_id, id, Readable.from([Buffer.from(text)]), 1e9);
  assert.deepEqual(plainWords(), []);
  assert.equal((await buffer(await blobs.get(tenant_id, id))).toString(), text);
  const keys = await rig.query('select tenant_id from tenant_blob_keys');
  assert.deepEqual(keys, [{ tenant_id }]);
  // With another master key nothing opens.
  const masters = fixedMasterKey(newBoxKey());
  const keyrings = { workspace: makeKeyring(db, masters), tenant: makeTenantKeyring(db, masters) };
  const wrong = makeBlobKeys({ db, keyrings, tenant_id });
  const raw = makeDiskBlobs(join(rig.config.data_dir, 'blobs'));
  await assert.rejects(makeEncryptedBlobs(raw, { keys: wrong, encrypt: true }).get(tenant_id, id));
});
