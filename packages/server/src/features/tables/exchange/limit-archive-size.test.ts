import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import writeXlsxFile from 'write-excel-file/node';
import { limitArchiveSize } from './limit-archive-size.ts';

interface Entry {
  content: Buffer;
  saidSize?: number;
  method?: number;
  /** Bytes of the fields behind its name, which differ at its data and in the list at the end. */
  extra?: [local: number, listed: number];
  comment?: number;
}

/** One entry of an archive that says of itself that it is this long: at its data, and in the list at the end. */
function entryOf(
  { content, saidSize = content.length, method = 8, extra = [0, 0], comment = 0 }: Entry,
  start: number,
) {
  const [name, data] = [Buffer.from('a.xml'), method === 8 ? deflateRawSync(content) : content];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(method, 8);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(saidSize, 22);
  local.writeUInt16LE(name.length, 26);
  local.writeUInt16LE(extra[0], 28);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(saidSize, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra[1], 30);
  entry.writeUInt16LE(comment, 32);
  entry.writeUInt32LE(start, 42);
  const listed = Buffer.concat([entry, name, Buffer.alloc(extra[1] + comment)]);
  return { packed: Buffer.concat([local, name, Buffer.alloc(extra[0]), data]), listed };
}

function archiveOf(entries: readonly Entry[], comment = ''): Buffer {
  let packed = Buffer.alloc(0);
  let listed = Buffer.alloc(0);
  for (const one of entries) {
    const made = entryOf(one, packed.length);
    packed = Buffer.concat([packed, made.packed]);
    listed = Buffer.concat([listed, made.listed]);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(packed.length, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([packed, listed, end, Buffer.from(comment)]);
}
const zipOf = (content: Buffer, saidSize: number) => archiveOf([{ content, saidSize }]);

test('refuses an archive by its unpacked size, not by its declared size', () => {
  const content = Buffer.alloc(1_000_000);
  limitArchiveSize(zipOf(content, 1_000_000), 1_000_000);
  for (const said of [1_000_000, 10, 0])
    assert.throws(() => limitArchiveSize(zipOf(content, said), 999_999), /larger than|too large/);
});

test('a workbook passes, and a damaged one is refused rather than anything else', async () => {
  const file = await writeXlsxFile([[{ value: 'a' }], [{ value: 1 }]] as never).toBuffer();
  limitArchiveSize(file, 1_000_000);
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(file);
      damaged[at] = byte;
      try {
        limitArchiveSize(damaged, 1_000_000);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    }),
  );
});

const bytes = (length: number, method = 8): Entry => ({ content: Buffer.alloc(length), method });

test('adds up packed and unpacked entries, with fields and comments between them', () => {
  const entries: Entry[] = [
    { ...bytes(100), extra: [7, 5], comment: 3 },
    { ...bytes(200, 0), extra: [300, 2] },
    { ...bytes(50), extra: [0, 300], comment: 260 },
    bytes(1, 0),
  ];
  limitArchiveSize(archiveOf(entries), 351);
  assert.throws(() => limitArchiveSize(archiveOf(entries), 350), /too large/);
  assert.throws(() => limitArchiveSize(archiveOf([bytes(10, 0)]), 9), /too large/);
  assert.throws(() => limitArchiveSize(archiveOf([bytes(10, 0), bytes(2)]), 10));
});

test('takes an archive without entries or with a comment, and refuses what is none', () => {
  limitArchiveSize(archiveOf([]), 0);
  limitArchiveSize(archiveOf([bytes(1)], 'c'.repeat(65_535)), 1);
  assert.throws(() => limitArchiveSize(Buffer.alloc(100), 1), /no archive/);
  assert.throws(() => limitArchiveSize(archiveOf([bytes(1, 9)]), 10), /packed in a way/);
  const damaged = archiveOf([bytes(4, 0)]);
  damaged[damaged.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))] = 0;
  assert.throws(() => limitArchiveSize(damaged, 10), /damaged/);
});
