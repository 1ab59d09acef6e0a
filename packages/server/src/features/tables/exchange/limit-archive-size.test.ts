import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import writeXlsxFile from 'write-excel-file/node';
import { limitArchiveSize } from './limit-archive-size.ts';

/** An archive with one entry that says of itself that it is this long. */
function zipOf(content: Buffer, saidSize: number): Buffer {
  const [name, data] = [Buffer.from('a.xml'), deflateRawSync(content)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(saidSize, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(saidSize, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, name, data, entry, name, end]);
}

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
