import type { Readable } from 'node:stream';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { Dicer } from '@fastify/busboy';

export interface Part {
  headers: Record<string, string[]>;
  stream: Readable;
}

const maxParts = 1000;
const maxHeaderBytes = 16 * 1024;
/** How long what is left of a refused body is read and thrown away, so that its sender gets to read our answer. */
const lingerMs = 10_000;

export function malformed(error: string): InvalidRequest {
  const msg = `Multipart decode error, ${error}`;
  return new InvalidRequest([{ loc: ['body'], msg, type: 'multipart_invalid', input: null, ctx: { error } }]);
}

export const tooLarge = () => new AppError('too_large', 'The upload is larger than this server takes');

/** Reads on into nothing. Closing at once would reset the connection under a sender that is not yet listening. */
export function discard(body: Readable): void {
  if (body.readableEnded || body.destroyed) return;
  body.resume();
  const timer = setTimeout(() => body.destroy(), lingerMs).unref();
  body.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/**
 * The parts of a multipart body as they arrive, each to be read to its end before the next. At most a few chunks are
 * in memory: the body is read on when the part's reader wants more.
 */
export async function* partsOf(body: Readable, boundary: string, maxBytes: number): AsyncGenerator<Part> {
  // A header that is cut at the parser's limit still shows to be longer than ours. (Its types do not know the limit.)
  const settings = { boundary, maxHeaderPairs: 32, maxHeaderSize: maxHeaderBytes + 1024 };
  const dicer = new Dicer(settings);
  const arrived: Part[] = [];
  const open = new Set<Readable>();
  let count = 0;
  let received = 0;
  let finished = false;
  let failure: Error | undefined;
  let wake = () => {};

  function fail(error: Error): void {
    failure ??= error;
    for (const part of open) part.destroy(failure);
    wake();
  }

  dicer.on('part', (part: Readable) => {
    if (++count > maxParts) fail(malformed(`there are more than ${maxParts} parts`));
    open.add(part);
    let headed = false;
    // A part that is destroyed before it has a reader emits an error that ends the process without a listener.
    part.on('error', () => {});
    part.once('header', (headers: Part['headers']) => {
      headed = true;
      part.pause();
      const length = Object.entries(headers).reduce(
        (sum, [name, values]) => sum + name.length + values.join().length,
        0,
      );
      if (length > maxHeaderBytes) fail(malformed(`the headers of a part have more than ${maxHeaderBytes} bytes`));
      arrived.push({ headers, stream: part });
      wake();
    });
    part.once('end', () => {
      open.delete(part);
      if (!headed) fail(malformed('a part has no headers'));
      // The parser may have paused for this part and would wait for a read that an ended stream does not make.
      part._read(0);
    });
    // A part whose headers never come would wait for a reader for ever.
    part.resume();
  });
  dicer.on('finish', () => {
    finished = true;
    wake();
  });
  dicer.on('error', (error) => fail(malformed(error.message)));

  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received > maxBytes) {
      fail(tooLarge());
      return;
    }
    body.pause();
    try {
      dicer.write(chunk, () => body.resume());
    } catch {
      // Header names like `constructor` make the parser stumble over its own objects.
      fail(malformed('the headers of a part can not be read'));
    }
  }
  const onEnd = () => {
    // Do not end the parser early: it would set its own error on the part, indistinguishable from this one.
    if (received === 0) finished = true;
    else if (!(dicer as unknown as { _finished: boolean })._finished)
      fail(malformed('the body ends before its last boundary'));
    wake();
  };
  const onGone = () => {
    if (!body.readableEnded) fail(malformed('the connection was closed before the end of the body'));
  };

  try {
    if (body.destroyed) onGone();
    body.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
    while (true) {
      if (failure) throw failure;
      const part = arrived.shift();
      if (part) {
        yield part;
        if (part.stream.destroyed && !part.stream.readableEnded) throw failure ?? new Error('A part was not read');
        part.stream.resume();
      } else if (finished) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    // The body was read to its end, so that a connection that breaks later changes nothing.
    body.on('error', () => {});
    for (const part of open) part.destroy();
    discard(body);
  }
}
