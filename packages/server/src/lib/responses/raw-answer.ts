import type { Readable } from 'node:stream';

/** An answer that is more than a value to be turned into JSON: text that is ready, bytes that flow, headers of its own. */
export class RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | Readable;

  constructor(body: string | Buffer | Readable, headers: Record<string, string | string[]>, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** JSON that was put together as text: stored parts are spliced in instead of being parsed and written again. */
export const jsonText = (text: string) => new RawAnswer(text, { 'content-type': 'application/json; charset=utf-8' });
