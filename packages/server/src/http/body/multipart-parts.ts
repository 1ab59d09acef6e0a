import { PassThrough, type Readable } from 'node:stream';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { Dicer } from '@fastify/busboy';

export interface Part {
  headers: Record<string, string[]>;
  stream: Readable;
}

const maxParts = 1000;
const maxHeaderBytes = 16 * 1024;
/** What a part holds for its reader, and how much more of it may wait before the body does. */
const [highWaterMark, mostWaiting] = [64 * 1024, 256 * 1024];
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

/** Whether the last boundary has passed, in pieces of a body as they come. The parser does not say so before the end. */
function watchForEnd(boundary: string): (chunk: Buffer) => boolean {
  const mark = Buffer.from(`\r\n--${boundary}--`);
  let tail: Buffer = Buffer.from('\r\n');
  let hasPassed = false;
  return (chunk) => {
    if (hasPassed) return true;
    const seam = Buffer.concat([tail, chunk.subarray(0, mark.length)]);
    hasPassed = seam.includes(mark) || chunk.includes(mark);
    tail = (chunk.length < mark.length ? seam : chunk).subarray(1 - mark.length);
    return hasPassed;
  };
}

/**
 * The parts of a multipart body as they arrive, each to be read to its end before the next. At most a few chunks are
 * in memory: the body is read on when the part's reader wants more.
 */
export async function* partsOf(body: Readable, boundary: string, maxBytes: number): AsyncGenerator<Part> {
  // A header that is cut at the parser's limit still shows to be longer than ours. (Its types do not know the limit.)
  // The parser never waits for the reader of a part: the body does.
  const settings = {
    ...{ boundary, maxHeaderPairs: 32, maxHeaderSize: maxHeaderBytes + 1024 },
    partHwm: Number.MAX_SAFE_INTEGER,
  };
  const dicer = new Dicer(settings);
  const hasEnded = watchForEnd(boundary);
  const arrived: Part[] = [];
  /** The parts that were not read to their end, each with what the parser puts it in. */
  const open = new Map<PassThrough, Readable>();
  let count = 0;
  let received = 0;
  let isWhole = false;
  let finished = false;
  let failure: Error | undefined;
  let wake = () => {};

  function fail(error: Error): void {
    failure ??= error;
    for (const part of open.keys()) part.destroy(failure);
    wake();
  }

  dicer.on('part', (part: Readable) => {
    if (++count > maxParts) fail(malformed(`there are more than ${maxParts} parts`));
    const stream = new PassThrough({ highWaterMark });
    open.set(stream, part);
    // A part that is destroyed before it has a reader emits an error that ends the process without a listener.
    stream.on('error', () => {}).once('end', () => open.delete(stream));
    let headed = false;
    part.once('header', (headers: Part['headers']) => {
      headed = true;
      const length = Object.entries(headers).reduce(
        (sum, [name, values]) => sum + name.length + values.join().length,
        0,
      );
      if (length > maxHeaderBytes) fail(malformed(`the headers of a part have more than ${maxHeaderBytes} bytes`));
      arrived.push({ headers, stream });
      wake();
    });
    part.once('end', () => {
      if (!headed) fail(malformed('a part has no headers'));
    });
    part.pipe(stream);
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
    isWhole = hasEnded(chunk);
    try {
      dicer.write(chunk);
    } catch {
      // Header names like `constructor` make the parser stumble over its own objects.
      fail(malformed('the headers of a part can not be read'));
    }
    for (const [stream, part] of open)
      if (stream.writableNeedDrain || part.readableLength > mostWaiting) {
        body.pause();
        stream.once('drain', () => body.resume());
        return;
      }
  }
  const onEnd = () => {
    // Do not end the parser early: it would set its own error on the part, indistinguishable from this one.
    if (received === 0) finished = true;
    else if (!isWhole) fail(malformed('the body ends before its last boundary'));
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
    for (const part of open.keys()) part.destroy();
    discard(body);
  }
}
