import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { test } from 'node:test';
import { fileServer } from '../testing.ts';

const server = await fileServer({ encrypt_at_rest: true });
const { address, place, query } = server;
const tus = { 'tus-resumable': '1.0.0' };
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer, key = place.key) =>
  fetch(`${address}${path}`, {
    method,
    headers: { 'x-api-key': key, ...tus, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  });
const begin = async (length: number, name = 'big.bin', key = place.key) => {
  const metadata = `filename ${Buffer.from(name).toString('base64')}`;
  const made = await send(
    'POST',
    '/v1/uploads',
    { 'upload-length': String(length), 'upload-metadata': metadata },
    undefined,
    key,
  );
  assert.equal(made.status, 201, await made.clone().text());
  return made.headers.get('location') as string;
};
const part = (path: string, offset: number, bytes: Buffer, more: Record<string, string> = {}, key = place.key) =>
  send(
    'PATCH',
    path,
    { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more },
    bytes,
    key,
  );
const offsetAt = async (path: string) => {
  const head = await send('HEAD', path);
  assert.deepEqual([head.status, head.headers.get('cache-control')], [200, 'no-store']);
  return Number(head.headers.get('upload-offset'));
};
const charged = async () =>
  Number(
    (await query("select bytes from byte_accounts where kind = 'workspace' and id = $1", [place.id]))[0]?.['bytes'] ??
      0,
  );
const content = randomBytes(300_000);

test('uploads a file in parts and makes the file with the last one', async () => {
  const path = await begin(content.length, 'räksmörgås.bin');
  const before = await charged();
  const first = await part(path, 0, content.subarray(0, 100_000));
  assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '100000']);
  assert.ok(Date.parse(first.headers.get('upload-expires') ?? '') > Date.now());
  assert.equal(await offsetAt(path), 100_000);
  const checksum = `sha256 ${createHash('sha256').update(content.subarray(100_000)).digest('base64')}`;
  const last = await part(path, 100_000, content.subarray(100_000), { 'upload-checksum': checksum });
  assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, '300000']);
  const id = path.split('/').at(-1) as string;
  const file = await server.download(id);
  assert.ok(file.bytes.equals(content));
  assert.match(file.headers.get('content-disposition') ?? '', /r%C3%A4ksm/);
  assert.deepEqual(server.onDisk(), [id], 'no part is left');
  assert.equal(await charged(), before, 'it was charged once, at the beginning');
  assert.equal(await offsetAt(path), content.length, 'a client that missed the last answer learns that it is done');
  await server.send('DELETE', `/v1/files/${id}`);
  assert.equal(await charged(), 0);
});

test('goes on after a connection that was cut in the middle of a part', async () => {
  const path = await begin(content.length);
  await part(path, 0, content.subarray(0, 50_000));
  await new Promise<void>((cut) => {
    const sent = request(`${address}${path}`, {
      method: 'PATCH',
      headers: {
        ...{ 'x-api-key': place.key, ...tus, 'content-type': 'application/offset+octet-stream' },
        ...{ 'upload-offset': '50000', 'content-length': '250000' },
      },
    });
    sent.once('error', () => cut());
    sent.write(content.subarray(50_000, 90_000), () => setTimeout(() => sent.destroy(new Error('cut')), 20));
  });
  assert.equal(await offsetAt(path), 50_000);
  assert.equal((await part(path, 50_000, content.subarray(50_000))).status, 204);
  assert.ok((await server.download(path.split('/').at(-1) as string)).bytes.equals(content));
});

test('makes the file on the next request when the server was killed after the last part', async () => {
  const path = await begin(10);
  const id = path.split('/').at(-1) as string;
  await part(path, 0, Buffer.from('01234'));
  const [row] = await query('select blob_id from upload_parts where upload_id = $1', [id]);
  // As if the second part were stored and the process had died before it made the file.
  await query(
    'insert into upload_parts select workspace_id, upload_id, 5, blob_id from upload_parts where upload_id = $1',
    [id],
  );
  await query('update resumable_uploads set received = 10 where id = $1', [id]);
  assert.ok(row);
  assert.equal(await offsetAt(path), 10);
  assert.equal((await server.download(id)).bytes.toString(), '0123401234');
});

test('refuses parts that begin elsewhere, are too long, differ from their checksum or come twice at once', async () => {
  const path = await begin(10);
  const five = Buffer.from('01234');
  assert.equal((await part(path, 3, five)).status, 409);
  assert.equal((await part(path, 0, Buffer.alloc(11))).status, 422);
  assert.equal((await part(path, 0, five, { 'upload-checksum': 'sha1 AAAA' })).status, 460);
  assert.equal((await part(path, 0, five, { 'upload-checksum': 'crc32 AAAA' })).status, 400);
  assert.equal((await part(path, 0, five, { 'content-type': 'text/plain' })).status, 415);
  const old = await part(path, 0, five, { 'tus-resumable': '0.2.2' });
  assert.deepEqual([old.status, old.headers.get('tus-version')], [412, '1.0.0']);
  assert.equal(await offsetAt(path), 0);
  const both = await Promise.all([part(path, 0, five), part(path, 0, five)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [204, 409]);
  assert.equal((await send('POST', '/v1/uploads', {})).status, 422);
});

test('cancels an upload and frees its bytes', async () => {
  const before = await charged();
  const path = await begin(1000);
  const left = server.onDisk().length;
  await part(path, 0, Buffer.alloc(500));
  assert.equal(await charged(), before + 1000);
  assert.equal((await send('DELETE', path)).status, 204);
  assert.equal(await charged(), before);
  assert.equal(server.onDisk().length, left);
  assert.equal((await send('HEAD', path)).status, 404);
});

test('shows an upload only to who began it, and after its end to nobody', async () => {
  const path = await begin(10);
  const keys = `/v1/admin/groups/${place.id}/api-keys`;
  const { json: second } = await server.call('POST', keys, { name: 'second' });
  const other = await server.workspace();
  for (const key of [second.value, other.key]) {
    assert.equal((await send('GET', path, {}, undefined, key)).status, 404);
    assert.equal((await part(path, 0, Buffer.alloc(5), {}, key)).status, 404);
    assert.equal((await send('DELETE', path, {}, undefined, key)).status, 404);
  }
  const { json: weak } = await server.call('POST', keys, { name: 'weak', permissions: ['files_read'] });
  assert.equal((await send('POST', '/v1/uploads', { 'upload-length': '5' }, undefined, weak.value)).status, 403);
  await query("update resumable_uploads set expires_at = now() - interval '1 second' where id = $1", [
    path.split('/').at(-1),
  ]);
  assert.equal((await send('HEAD', path)).status, 404);
});

test('refuses an upload that does not fit the quota or the largest file before a byte is sent', async () => {
  const small = await fileServer({
    max_upload_bytes: 5000,
    quotas: { visitor: 0, page: 0, workspace: 2000, organization: 0 },
  });
  const create = (length: number) =>
    fetch(`${small.address}/v1/uploads`, {
      method: 'POST',
      headers: { 'x-api-key': small.place.key, ...tus, 'upload-length': String(length) },
    });
  assert.equal((await create(6000)).status, 413);
  const over = await create(3000);
  assert.deepEqual([over.status, ((await over.json()) as { code: string }).code], [409, 'quota_reached']);
  assert.equal((await create(2000)).status, 201);
  assert.equal((await create(1)).status, 409);
});
