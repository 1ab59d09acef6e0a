import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** Every stream format of a run; `run` is the run's own endpoint, the rest belong to the conversation's. */
export const streamFormats = ['ui', 'vercel', 'json', 'none', 'run'] as const;
export type StreamFormat = (typeof streamFormats)[number];

interface Opened {
  address: string;
  path: string;
  key: string;
  headers?: Record<string, string>;
  body?: object;
}

/** A stream over a socket of its own, once it has been answered. */
export async function openStream({ address, path, key, headers, body }: Opened): Promise<IncomingMessage> {
  const sent = request(`${address}${path}`, {
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  // An error before the response rejects below; after it, the reader of the response gets the error.
  sent.on('error', () => {});
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response.setEncoding('utf8');
}

/** The frames of a stream without its signs of life, as they come; throws when it is cut off. */
export async function* framesOf(stream: IncomingMessage): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const frame of whole) if (!frame.startsWith(':')) yield frame;
  }
}

const dataOf = (frame: string) => /^data: (.*)$/m.exec(frame)?.[1] ?? '';

/** Whether the server tells the client to begin anew, because it has lost words that the client has read. */
export const isReset = (frame: string): boolean =>
  dataOf(frame).includes('"data-reset"') || /"progress_details":\{"discard":true\},?.*-0"\}$/.test(dataOf(frame));

/** Whether nothing comes after this frame. */
function isLast(format: StreamFormat, frame: string): boolean {
  if (format === 'json' || format === 'none') return frame.startsWith('event: done');
  if (format === 'run') return JSON.parse(dataOf(frame)).data.status !== 'running';
  return frame === 'data: [DONE]' || frame.endsWith('\ndata: [DONE]');
}

export interface Watched {
  conversation_id: string;
  run_id: string;
  key: string;
}

/** The number of the event that each frame belongs to, of a stream that does not say it; the `json` one does. */
async function numbersOf(address: string, { conversation_id, key }: Watched, count: number): Promise<number[]> {
  const path = `/v1/conversations/${conversation_id}/events?format=json&after=0`;
  const stream = await openStream({ address, path, key });
  const numbers: number[] = [];
  for await (const frame of framesOf(stream)) {
    numbers.push(JSON.parse(dataOf(frame)).seq ?? numbers.at(-1));
    if (numbers.length >= count) break;
  }
  stream.destroy();
  return numbers;
}

/**
 * A client that reconnects after every disconnect and resumes where it was: after the last frame in formats with ids,
 * otherwise after the last event known to be complete, which is the one before the last received. When the server was
 * killed, one whose format has no numbers begins anew.
 */
export function makeResumingClient(watched: Watched, format: StreamFormat, frames: string[] = []) {
  const { conversation_id, run_id, key } = watched;
  const hasNumbers = format === 'ui' || format === 'json' || format === 'run';
  let resets = 0;
  /** Why the last connection did not reach the end. */
  let ending = '';
  /** Whether the server, and not this client, has cut the connection. */
  let broken = false;
  const events = `/v1/conversations/${conversation_id}/events`;

  /** Where to go on; frames of an event that may not be whole are forgotten. */
  async function place(address: string): Promise<{ path: string; headers?: Record<string, string> }> {
    const last = frames.at(-1) ?? '';
    if (format === 'run') {
      const etag = last && `?etag=${JSON.parse(dataOf(last)).redisId}`;
      return { path: `/v1/runs/${run_id}/events${etag}` };
    }
    if (format === 'ui') {
      const id = /^id: (.*)$/m.exec(last)?.[1];
      return { path: `${events}?format=ui&after=0`, ...(id && { headers: { 'last-event-id': id } }) };
    }
    // A client that does not know the number of what it has read can't tell whether the server still has it.
    if (broken && !hasNumbers) frames.splice(0);
    const known = format === 'json' ? frames.map((frame) => Number(JSON.parse(dataOf(frame)).seq)) : undefined;
    const numbers = known ?? (frames.length ? await numbersOf(address, watched, frames.length) : []);
    const number = numbers.at(frames.length - 1) ?? numbers.at(-1) ?? 1;
    const whole = numbers.indexOf(number);
    if (whole >= 0) frames.splice(whole);
    return { path: `${events}?after=${number - 1}${format === 'none' ? '' : `&format=${format}`}` };
  }

  return {
    frames,
    /** How often the client was told to begin anew. */
    resets: () => resets,
    /** Reads on, and leaves with so many frames more; true when that was all. A connection that breaks is no failure. */
    async read(address: string, more = Number.POSITIVE_INFINITY): Promise<boolean> {
      const enough = frames.length + more;
      try {
        const stream = await openStream({ address, key, ...(await place(address)) });
        if (stream.statusCode !== 200) {
          ending = `answered with ${stream.statusCode}`;
          stream.destroy();
          return false;
        }
        broken = true;
        for await (const frame of framesOf(stream)) {
          if (isReset(frame)) {
            frames.splice(0);
            resets++;
            continue;
          }
          frames.push(frame);
          if (isLast(format, frame)) return true;
          if (frames.length < enough) continue;
          broken = false;
          break;
        }
        stream.destroy();
      } catch (error) {
        if (!/aborted|ECONN|socket hang up|EPIPE/.test(String(error))) throw error;
        ending = String(error);
      }
      return false;
    },
    ending: () => `${ending || 'closed'} after ${frames.length} frames, the last: ${frames.at(-1)}`,
    isOver: () => frames.length > 0 && isLast(format, frames.at(-1) as string),
  };
}

/** Reads the stream from the first event on with a new client. */
export async function wholeStream(address: string, watched: Watched, format: StreamFormat): Promise<string[]> {
  const client = makeResumingClient(watched, format);
  if (!(await client.read(address))) throw new Error(`The ${format} stream has no end: ${client.ending()}`);
  return client.frames;
}
