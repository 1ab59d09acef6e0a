import type { Readable } from 'node:stream';
import { WebRefused } from '../web/driver.ts';

/** The most that one answer or one event may have. */
export const mostBytes = 10 * 1024 * 1024;

const newline = 10;
const carriage = 13;

/** Whether an event ends in a piece of a stream: an empty line, which may begin in one piece and end in the next. */
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

/** The code of an error that we put in ourselves where a server's answer broke off. */
export const brokenStreamCode = -32_050;

/**
 * An event stream whose events stay small. They are handed on whole: the library would look through all it has of an
 * unfinished one again with every piece. Where the stream answers one request, `id`, and ends or breaks without the
 * answer, an error takes its place: whoever waits for it would otherwise wait until their time is up. One with ids of
 * its own can be taken up again, and is left to that.
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
