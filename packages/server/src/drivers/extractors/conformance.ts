import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import { type Extract, type Extracted, type Extractor, NotExtractable } from './driver.ts';

export async function* pieces(content: Buffer | string, size = 4096): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const options = (content_type: string, max_chars = 10_000, filename = 'file') => ({
  filename,
  content_type,
  max_chars,
  signal: AbortSignal.timeout(30_000),
});

export const textOf = async (
  extract: Extractor['extract'] | Extract,
  content: Buffer | string,
  type: string,
  max?: number,
) => extract(pieces(content), options(type, max));

/** Asserts the invariants of every extraction result. */
export function checkExtracted({ text, blocks, tables, images, warnings }: Extracted, max_chars: number): void {
  assert.ok(text.length <= max_chars);
  const texts = [text, ...warnings, ...tables.flatMap(({ rows }) => rows.flat()), ...images.map(({ alt }) => alt)];
  assert.ok(
    texts.every((one) => one.isWellFormed() && !one.includes('\0')),
    'any database can store it',
  );
  let last = 0;
  for (const { start, end, table } of blocks) {
    assert.ok(last <= start && start < end && end <= text.length, 'blocks stand one after the other in the text');
    assert.ok(table === null || table < tables.length);
    last = end;
  }
  for (const { at } of images) assert.ok(at <= text.length);
}

/** What every extractor keeps to. `sample` makes a file of its kind that holds a text. */
export function extractorConformance(
  name: string,
  extractor: Extractor,
  sample: (text: string) => Buffer,
  rounds = 300,
): void {
  const type = extractor.types[0] as string;
  const read = (content: Buffer, max?: number) => textOf(extractor.extract, content, type, max);

  suite(`extractor: ${name}`, () => {
    test('the text of a file is found, without a warning', async () => {
      const { text, warnings } = await read(sample('Grüße, 日本 🙂'));
      assert.ok(text.includes('Grüße, 日本 🙂'), text);
      assert.deepEqual(warnings, []);
    });

    test('the blocks of a file stand in its text', async () => {
      const extracted = await read(sample('heron'));
      checkExtracted(extracted, 10_000);
      const { blocks, text } = extracted;
      assert.ok(blocks.some(({ start, end }) => text.slice(start, end).includes('heron')));
    });

    test('however the bytes come, the text is the same', async () => {
      const content = sample('Grüße, 日本 🙂');
      const whole = await read(content);
      assert.deepEqual(await extractor.extract(pieces(content, 1), options(type)), whole);
    });

    test('truncates a text that is too long between characters, with a warning', async () => {
      for (const max of [1, 7, 100, 101, 1000]) {
        const { text, warnings } = await read(sample('🙂'.repeat(5000)), max);
        assert.ok(text.length <= max, `${text.length} > ${max}`);
        assert.ok(text.isWellFormed());
        assert.equal(warnings.length, 1);
      }
    });

    test('an empty file is either empty text or refused as such', async () => {
      const { text } = await read(Buffer.alloc(0)).catch((error: unknown) => {
        assert.ok(error instanceof NotExtractable);
        return { text: '' };
      });
      assert.equal(text, '');
    });

    test('any bytes give text or are refused as not extractable', async () => {
      const whole = sample('Grüße <b>x</b> "a",b\n{}');
      for (let round = 0; round < rounds; round++) {
        const content = round % 2 ? randomBytes(round * 7) : Buffer.from(whole);
        if (round % 2 === 0)
          for (let hit = 0; hit < 1 + round / 20; hit++)
            content[randomBytes(2).readUInt16LE() % content.length] = randomBytes(1)[0] as number;
        const result = await read(content, 500).catch((error: unknown) => error);
        if (result instanceof Error) assert.ok(result instanceof NotExtractable, String(result));
        else checkExtracted(result as Extracted, 500);
      }
    });

    test('rejects with the reason of a signal that is already aborted', async () => {
      const gone = new Error('gone');
      const signal = AbortSignal.abort(gone);
      await assert.rejects(extractor.extract(pieces(sample('x')), { ...options(type), signal }), gone);
    });
  });
}
