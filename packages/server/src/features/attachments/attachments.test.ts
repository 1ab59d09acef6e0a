import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { attachmentInput } from '@atrium/contract/attachments/schema.ts';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { loopback } from '../../drivers/web/testing.ts';
import { attachmentServer } from './testing.ts';

const { attachments, make, scope, files, upload, onDisk, workspace } = await attachmentServer();
const item = (sent: object) => attachmentInput.parse(sent);
const bytes = (name: string, content: string) => item({ name, b64_content: Buffer.from(content).toString('base64') });
const megabyte = 1024 * 1024;

const web = await loopback((request, response) => {
  if (request.url === '/missing') return response.writeHead(404).end('no');
  if (request.url === '/inside') return response.writeHead(302, { location: 'http://127.0.0.2/' }).end();
  if (request.url === '/large') return response.end(Buffer.alloc(2 * megabyte));
  if (request.url === '/broken') {
    response.writeHead(200, { 'content-length': '1000' }).write('half');
    return setTimeout(() => response.destroy(), 20);
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>hello</p>');
});

/** Runs what is to be refused, and sees to it that nothing is kept of it. */
async function refused(work: () => Promise<unknown>): Promise<{ loc: string; msg: string }[]> {
  const before = onDisk().sort();
  const error = await work().then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  assert.deepEqual(onDisk().sort(), before, 'something was kept');
  if (!(error instanceof InvalidRequest)) throw error;
  return error.validationErrors.map(({ loc, msg }) => ({ loc: loc.join('.'), msg }));
}

test('bytes become a stored file, and a part of the message', async () => {
  const [part] = await attachments.attach(scope(), randomUUID(), [bytes('../notes.md', '# Hello')]);
  assert.ok(part);
  const { id, ...rest } = part;
  const expected = { name: 'notes.md', size: 7, type: 'text/markdown', status: 'success', url: `store://${id}` };
  assert.deepEqual(rest, expected);
  assert.equal((await buffer(await files.read(scope(), id))).toString(), '# Hello');
});

test('an address is fetched, named after itself, and remembered without its query', async () => {
  const [one, two] = await attachments.attach(scope(), randomUUID(), [
    item({ url: `${web.url}/a%20page?token=secret` }),
    item({ url: `${web.url}/x`, name: 'given.txt' }),
  ]);
  assert.deepEqual([one?.name, one?.type, two?.name], ['a page.html', 'text/html', 'given.txt']);
  const stored = await files.get(scope(), one?.id ?? '');
  assert.deepEqual([stored.source_type, stored.source_metadata], ['Website', { url: `${web.url}/a%20page` }]);
});

test('a data address is bytes', async () => {
  const [part] = await attachments.attach(scope(), randomUUID(), [item({ url: 'data:text/plain;base64,SGk=', name: 'hi.txt' })]);
  assert.equal(part?.size, 2);
  const validationErrors = await refused(() => attachments.attach(scope(), randomUUID(), [item({ url: 'data:text/plain,Hi' })]));
  assert.deepEqual(validationErrors, [
    { loc: 'body.files.0.url', msg: 'Value error, a data address should hold base64' },
  ]);
});

test('a stored file is named by its id, or by the address that messages show', async () => {
  const { id } = (await upload('stored', 'old.txt')).json;
  const sent = [{ id }, { url: `store://${id}` }, { url: `/v1/files/${id.toUpperCase()}`, name: 'x' }].map(item);
  const parts = await attachments.attach(scope(), randomUUID(), sent);
  assert.deepEqual(
    parts.map((part) => [part.id, part.name, part.size]),
    [
      [id, 'old.txt', 6],
      [id, 'old.txt', 6],
      [id, 'old.txt', 6],
    ],
  );
});

test('a file of another workspace, a missing file and an unreadable file give the same validation error', async () => {
  const { id } = (await upload('mine', 'a.txt')).json;
  const other = scope((await workspace()).id);
  const tell = async (who: ReturnType<typeof scope>, sent: object) =>
    refused(() => attachments.attach(who, randomUUID(), [bytes('kept?.txt', 'x'), item(sent)]));
  const expected = [{ loc: 'body.files.1.id', msg: 'Value error, no such file in this workspace' }];
  assert.deepEqual(await tell(other, { id }), expected);
  assert.deepEqual(await tell(scope(), { id: randomUUID() }), expected);
  assert.deepEqual(await tell(scope(undefined, ['agents_run']), { id }), expected);
  const byUrl = await tell(other, { url: `store://${id}` });
  assert.deepEqual(byUrl, [{ loc: 'body.files.1.url', msg: 'Value error, no such file in this workspace' }]);
});

test('removes all files when one fails, and reports every failure', async () => {
  const { id } = (await upload('stays', 'old.txt')).json;
  const validationErrors = await refused(() =>
    make({ max_fetched_bytes: megabyte }).attach(scope(), randomUUID(), [
      bytes('fine.txt', 'x'),
      item({ url: `${web.url}/missing`, name: 'report.pdf' }),
      item({ url: 'http://127.0.0.2/', name: 'inside.txt' }),
      item({ url: `${web.url}/inside`, name: 'sneaky.txt' }),
      item({ url: `${web.url}/large`, name: 'large.bin' }),
      item({ url: `${web.url}/broken`, name: 'half.txt' }),
      item({ url: 'ftp://example.com/x', name: 'old.txt' }),
      item({ id }),
      item({ url: `${web.url}/fine` }),
    ]),
  );
  const could = (name: string, why: string) => `Value error, the file "${name}" could not be fetched: ${why}`;
  const inside = 'it is at a private or reserved address, and those are not reached from here';
  const advised = `${inside}; the operator can list its host in ATRIUM_WEB_ALLOW`;
  assert.deepEqual(validationErrors, [
    { loc: 'body.files.1.url', msg: could('report.pdf', 'its server answered with the status 404') },
    { loc: 'body.files.2.url', msg: could('inside.txt', advised) },
    { loc: 'body.files.3.url', msg: could('sneaky.txt', advised) },
    { loc: 'body.files.4.url', msg: could('large.bin', 'it is larger than the 1 MB that are taken') },
    { loc: 'body.files.5.url', msg: could('half.txt', 'its server could not be reached, or broke off') },
    { loc: 'body.files.6.url', msg: could('old.txt', 'only http and https addresses are reached') },
  ]);
  assert.equal((await files.get(scope(), id)).filename, 'old.txt');
  const weak = { ...scope(), permissions: new Set(['agents_run' as const]) };
  const sent = [item({ url: 'http://127.0.0.2/', name: 'inside.txt' })];
  assert.deepEqual(await refused(() => attachments.attach(weak, randomUUID(), sent)), [
    { loc: 'body.files.0.url', msg: could('inside.txt', inside) },
  ]);
});

test('files that are too large together are refused together', async () => {
  const small = make({ max_total_bytes: megabyte });
  const half = bytes('half.txt', 'x'.repeat(megabyte / 2));
  assert.equal((await small.attach(scope(), randomUUID(), [half, half])).length, 2);
  await assert.rejects(
    refused(() => small.attach(scope(), randomUUID(), [half, half, bytes('more.txt', 'x')])),
    (error) => error instanceof AppError && error.kind === 'too_large' && /1 MB together/.test(error.message),
  );
});

test('a message that does not come about leaves none of its files, and all that were there before', async () => {
  const { id } = (await upload('stays', 'old.txt')).json;
  const before = onDisk().sort();
  const parts = await attachments.attach(scope(), randomUUID(), [bytes('new.txt', 'x'), item({ id })]);
  await attachments.discard(scope(), parts);
  assert.deepEqual(onDisk().sort(), before);
  await attachments.discard(scope(), parts);
});

test('the answer that is kept for an Idempotency-Key is not one of the files', async () => {
  const stored: unknown[] = [];
  const idempotency = { store: async (_run: unknown, answer: unknown) => void stored.push(answer) };
  await attachments.attach({ ...scope(), idempotency }, randomUUID(), [bytes('a.txt', 'x')]);
  assert.deepEqual(stored, []);
});

test('a sender who goes away leaves nothing', async () => {
  const gone = new Error('gone');
  const leaving = { ...scope(), signal: AbortSignal.abort(gone) };
  const sent = [bytes('a.txt', 'x'), item({ url: `${web.url}/fine` })];
  await assert.rejects(
    refused(() => attachments.attach(leaving, randomUUID(), sent)),
    gone,
  );
});
