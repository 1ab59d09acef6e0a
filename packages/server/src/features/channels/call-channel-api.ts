import { text } from 'node:stream/consumers';
import { explainRefusal, type Web, WebRefused, type WebRequest } from '../../drivers/web/driver.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import { ChannelFailure } from './channel.ts';

const megabyte = 1024 * 1024;

/** How long a server asks us to wait; a date is rare enough to be taken for a minute. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  return /^\d{1,6}$/.test(header) ? Number(header) * 1000 : 60_000;
}

/** What a channel's API answered, as an object; `{}` when it is none. */
export interface Asked {
  status: number;
  json: Record<string, unknown>;
}

/** Asks the API of a channel. Its refusal is a ChannelFailure, which says nothing of what was sent. */
export async function ask(web: Web, who: string, url: string, request: WebRequest): Promise<Asked> {
  let status: number;
  let body: string;
  let headers: Readonly<Record<string, string>>;
  try {
    const answer = await web.fetch(url, { timeout_ms: 20_000, max_bytes: megabyte, ...request });
    ({ status, headers } = answer);
    body = await text(answer.body);
  } catch (error) {
    if (error instanceof WebRefused)
      throw new ChannelFailure(`${who} could not be reached: ${explainRefusal(error, 'members')}`);
    throw error;
  }
  if (status === 429 || status >= 500)
    throw new ChannelFailure(`${who} answered with the status ${status}`, {
      retry_after_ms: retryAfter(headers['retry-after']),
    });
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = {};
  }
  return { status, json: fieldsOf(json) };
}
