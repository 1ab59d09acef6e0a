import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import fc from 'fast-check';
import { partsOf } from './multipart-parts.ts';

const part = (content: string, headers = 'content-disposition: form-data; name="file"') =>
  `--B\r\n${headers}\r\n\r\n${content}\r\n`;

const body = (chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));

async function contents(chunks: (string | Buffer)[], limit = 1e9): Promise<string[]> {
  const all: string[] = [];
  for await (const { stream } of partsOf(body(chunks), 'B', limit)) all.push((await buffer(stream)).toString());
  return all;
}

test('reads a form the same however its bytes are split into chunks', async () => {
  const tricky = ['', '\r\n--', '\r\n--X\r\n', '-', '\r\n\r\n', 'x--B--', '--', 'plain'];
  const whole = Buffer.from(`preamble\r\n${tricky.map((content) => part(content)).join('')}--B--\r\nepilogue`);
  for (let at = 1; at < whole.length; at++)
    assert.deepEqual(await contents([whole.subarray(0, at), whole.subarray(at)]), tricky, `cut at ${at}`);
  assert.deepEqual(await contents([...whole].map((byte) => Buffer.from([byte]))), tricky);
});

test('reads several large parts in full', async () => {
  const large = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000));
  const whole = Buffer.from(`${large.map((content) => part(content)).join('')}--B--`);
  const chunks = Array.from({ length: Math.ceil(whole.length / 65_536) }, (_, i) =>
    whole.subarray(i * 65_536, (i + 1) * 65_536),
  );
  assert.deepEqual(await contents(chunks), large);
  assert.deepEqual(await contents([whole]), large);
});

test('a part that its reader skips is passed over', async () => {
  const seen: string[] = [];
  const skipped = part('x'.repeat(500_000));
  for await (const { stream } of partsOf(body([skipped, part('wanted'), '--B--']), 'B', 1e9))
    if (seen.push('part') === 2) seen.push((await buffer(stream)).toString());
  assert.deepEqual(seen, ['part', 'part', 'wanted']);
});

const faulty: Record<string, [chunks: string[], says: RegExp]> = {
  'text that is no form': [['hello'], /before its last boundary/],
  'another boundary': [['--C\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--C--'], /before its last/],
  'cut in the headers': [['--B\r\ncontent-dispo'], /before its last boundary/],
  'cut in the content': [[part('x'.repeat(100_000)).slice(0, -1000)], /before its last boundary/],
  'cut after the content': [[part('x')], /before its last boundary/],
  'cut in the last boundary': [[part('x'), '--B'], /before its last boundary/],
  'a part without headers': [['--B\r\nno headers here\r\n--B--'], /no headers/],
  'a part that is nothing': [['--B\r\n\r\n--B--'], /no headers|before its last/],
  'a header called constructor': [[part('x', 'constructor: x'), '--B--'], /can not be read/],
  'a header called __proto__': [[part('x', '__proto__: x'), '--B--'], /can not be read/],
  'endless headers': [[part('x', `x-long: ${'y'.repeat(100_000)}`), '--B--'], /more than 16384 bytes/],
  'too many parts': [[...Array.from({ length: 1001 }, () => part('x')), '--B--'], /more than 1000 parts/],
};
for (const [name, [chunks, says]] of Object.entries(faulty))
  test(`a malformed form is refused: ${name}`, { timeout: 60_000 }, async () => {
    await assert.rejects(contents(chunks), (error) => {
      assert.ok(error instanceof InvalidRequest, String(error));
      const [validationError] = error.validationErrors;
      assert.deepEqual([validationError?.loc, validationError?.type], [['body'], 'multipart_invalid']);
      assert.match(validationError?.msg ?? '', says);
      return true;
    });
  });

test('a body beyond the limit is refused as soon as it is', async () => {
  let read = 0;
  const endless = Readable.from(
    (function* () {
      yield Buffer.from('--B\r\ncontent-disposition: form-data; name="file"\r\n\r\n');
      for (let sent = 0; sent < 1000; sent++) yield Buffer.alloc(65_536);
    })(),
  );
  const reading = (async () => {
    for await (const { stream } of partsOf(endless, 'B', 1_000_000))
      for await (const chunk of stream) read += chunk.length;
  })();
  await assert.rejects(reading, (error) => error instanceof AppError && error.kind === 'too_large');
  assert.ok(read <= 1_000_000);
});

test('no more is read than the reader of a part takes', async () => {
  let sent = 0;
  const source = Readable.from(
    (function* () {
      yield Buffer.from('--B\r\ncontent-disposition: form-data; name="file"\r\n\r\n');
      for (; sent < 200; sent++) yield Buffer.alloc(65_536);
      yield Buffer.from('\r\n--B--');
    })(),
    { objectMode: false },
  );
  for await (const { stream } of partsOf(source, 'B', 1e9)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(sent < 10, `${sent} chunks were read ahead`);
    for await (const _ of stream);
  }
  assert.equal(sent, 200);
});

test('a sender that goes away ends the reading of its part', async () => {
  const source = new Readable({ read() {} });
  source.push(part('x'.repeat(1000)).slice(0, -10));
  const reading = (async () => {
    for await (const { stream } of partsOf(source, 'B', 1e9)) {
      setImmediate(() => source.destroy());
      for await (const _ of stream);
    }
  })();
  await assert.rejects(reading, InvalidRequest);
});

test('reads or refuses every body, and never waits for more', { timeout: 60_000 }, async () => {
  const pieces = [
    '--B',
    '--',
    '\r\n',
    '\r',
    'x: y',
    'content-disposition: form-data; name="file"',
    ':',
    'text',
    '__proto__: x',
  ];
  const large = 'z'.repeat(70_000);
  const chunk = fc.array(fc.constantFrom(...pieces, '--B\r\n', '\r\n\r\n', '\r\n--B\r\n', '\r\n--B--', large), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (chunks) => {
      const sent = ['--B\r\n', ...chunks.map((parts) => parts.join(''))].filter((text) => text.length > 0);
      await contents(sent).catch((error) => assert.ok(error instanceof InvalidRequest, String(error)));
    }),
    { numRuns: 1500 },
  );
});
