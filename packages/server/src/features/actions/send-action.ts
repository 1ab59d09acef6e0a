import { buffer } from 'node:stream/consumers';
import { isModest } from '@atrium/contract/schema/from-json.ts';
import type { Web, WebAnswer, WebRefused } from '../../drivers/web/driver.ts';
import { errorCode } from '../../lib/error-code.ts';
import { required } from '../../lib/required.ts';
import type { ToolSecrets } from '../tools/ports.ts';
import { type ActionEntry, originOf, requestOf } from './build-request.ts';
import { namesIn } from './template.ts';

export type Entry = ActionEntry & { enabled?: unknown; trusted?: unknown };
/** An entry, and the setting that it is from. */
export interface Placed {
  entry: Entry;
  setting: 'actions' | 'tools';
  /** The only hosts that may be reached; none: any. */
  hosts: readonly string[];
}

const mostBytes = 1024 * 1024;
const mostHops = 5;
const readable = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-ndjson)|application\/x-www-form)/i;

/** Codes of errors that come before a connection is there, so that nothing was sent. */
const unsent = /^(?:ENOTFOUND|EAI_|ENODATA|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/;

/** A model that reads "it failed" would repeat the request, so the text says that it may have been processed. */
export function troubleOf({ code, cause }: WebRefused, message: string): string {
  if (
    code === 'bad_request' ||
    code === 'private_address' ||
    code === 'host_not_allowed' ||
    unsent.test(String(errorCode(cause)))
  )
    return `The request was not made: ${message}`;
  if (code === 'unreachable' || code === 'timeout')
    return `There is no answer to the request, which may or may not have had its effect: ${message}`;
  return `The request was made, but its answer can not be read: ${message}`;
}

/** Without a schema, every slot of the request is an argument of type string. */
export function schemaOf({ url, headers, body, input_schema }: Entry): Record<string, unknown> {
  if (isModest(input_schema)) return input_schema;
  const names = [...namesIn([url, headers, body]).arguments];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names };
}

async function read(answer: WebAnswer) {
  const content_type = answer.headers['content-type'] ?? '';
  const bytes = await buffer(answer.body);
  const { status } = answer;
  if (bytes.length > 0 && !readable.test(content_type) && bytes.includes(0))
    return { status, content_type, body: `[${bytes.length} bytes that are no text]` };
  const text = new TextDecoder().decode(bytes);
  if (!/json/i.test(content_type)) return { status, content_type, body: text };
  try {
    return { status, content_type, body: JSON.parse(text) as unknown };
  } catch {
    return { status, content_type, body: text };
  }
}

/** How long a request may take, in milliseconds; `idle_ms` between two pieces of its answer. */
export interface TimeLimits {
  timeout_ms: number;
  idle_ms: number;
}

/** Sends the request of an action once. Redirects are followed within its origin, and for GET only. */
export async function sendAction(
  web: Web,
  { entry, setting, hosts }: Placed,
  input: Record<string, unknown>,
  { signal, reveal, time }: { signal: AbortSignal; reveal: ToolSecrets['reveal']; time: TimeLimits },
) {
  const names = [...namesIn([entry.url, entry.headers, entry.body]).secrets];
  // Only secrets that the settings name for this host are revealed; arguments of the model stay as they are.
  const handles = names.map((name) => `{{secret.${name}}}`);
  const values = names.length ? await reveal(handles, { address: originOf(entry.url), setting }) : [];
  const secrets = new Map(names.map((name, at) => [name, required(values[at])]));
  const { url, ...request } = requestOf(entry, input, (name) => secrets.get(name) ?? '');
  const limits = { max_bytes: mostBytes, ...time, follow: false, hosts, signal };
  let next = url;
  for (let hop = 0; ; hop++) {
    const answer = await web.fetch(next.href, { ...request, ...limits });
    const location = [301, 302, 303, 307, 308].includes(answer.status) && answer.headers['location'];
    const target = location ? URL.parse(location, next.href) : null;
    // The author of the settings has not chosen another host.
    if (!target || target.origin !== next.origin || request.method !== 'GET' || hop === mostHops) return read(answer);
    answer.body.destroy();
    next = target;
  }
}
