import type { Readable } from 'node:stream';
import { WebRefused } from '../web/driver.ts';

/** The most bytes of one answer or one event. */
export const mostBytes = 10 * 1024 * 1024;

const newline = 10;
const carriage = 13;

/** Whether an event ends in a piece of a stream: an empty line, which may span two pieces. */
function makeEventEnds() {
  let blank = false;
  return (chunk: Uint8Array): boolean => {
    let ends = false;
    for (const byte of chunk) {
      if (byte === newline) {
        ends ||= blank;
        blank = true;
      } else if (byte !== carriage) blank = false;
    }
    return ends;
  };
}

const errorEvent = (id: string | number, message: string) =>
  Buffer.from(
    `\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: brokenStreamCode, message } })}\n\n`,
  );

/** The code of the error that we insert when a server's answer breaks off. */
export const brokenStreamCode = -32_050;

/**
 * Limits the size of the events in a stream. Events are passed on whole, since the library would search an unfinished
 * one again with every piece. If the stream answers one request, `id`, and ends without the answer, an error is
 * inserted; otherwise the caller would wait until its timeout. A stream with event ids can be resumed and is left
 * alone.
 */
export async function* guardedEvents(body: Readable, id: string | number | undefined): AsyncGenerator<Uint8Array> {
  const ends = makeEventEnds();
  let held: Buffer[] = [];
  let size = 0;
  let resumable = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      held.push(chunk);
      size += chunk.length;
      if (size > mostBytes) throw new WebRefused('too_large', 'one of its messages is larger than 10 MB');
      if (!ends(chunk)) continue;
      const whole = Buffer.concat(held);
      resumable ||= /(?:^|\n)id:/.test(whole.toString('latin1'));
      [held, size] = [[], 0];
      yield whole;
    }
  } catch (error) {
    if (id === undefined) throw error;
    const why = error instanceof WebRefused ? error.message : 'its answer broke off';
    if (!resumable || (error instanceof WebRefused && error.code === 'too_large')) yield errorEvent(id, why);
    return;
  }
  if (id !== undefined && !resumable) yield errorEvent(id, 'its answer ended before the result');
}
