import { InvalidRequest } from '../../lib/errors.ts';
import { readJson } from '../../lib/json/read-json.ts';
import type { RawBody } from '../../lib/route.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;
const isForm = /^application\/x-www-form-urlencoded\b/i;

/** A message as a run is given it: the fields of an object as they are, anything else as `body`. */
export function payloadOf({ bytes, headers }: RawBody): Record<string, unknown> {
  const type = headers['content-type'] ?? '';
  if (bytes.length === 0) return {};
  if (isForm.test(type)) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  // What the database can't hold as text is not kept: it is not meant to be read.
  if (!isJson.test(type)) return { body: bytes.toString().replaceAll('\0', '') };
  const read = readJson(bytes);
  if (!read.ok) throw new InvalidRequest(read.faults.map((fault) => ({ ...fault, loc: ['body', ...fault.loc] })));
  const { value } = read;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { body: value };
}

const told = /^(?:content-type|user-agent|webhook-(?:id|timestamp)|x-.+)$/;
/** What opens a door is nobody else's business. */
const secret = /key|secret|signature|token|auth|cookie|credential|forwarded|real-ip/;

/** The headers that say something of the message, and nothing that its sender proves itself with. */
export const toldHeaders = (headers: RawBody['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => told.test(name) && !secret.test(name))
      .slice(0, 50)
      .map(([name, value]) => [name, value.slice(0, 500)]),
  );
