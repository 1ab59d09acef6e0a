import { InvalidRequest } from '@atrium/contract/errors.ts';
import { readJson } from '../../../lib/json/read-json.ts';
import type { RawBody } from '../../../lib/route.ts';
import { readForm } from '../../../lib/text/read-form.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;
const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The fields of a form; of files, their names. */
async function fieldsOf(bytes: Buffer, type: string): Promise<Record<string, string>> {
  const form = await readForm(bytes, type);
  if (!form)
    throw new InvalidRequest([
      { ...{ loc: ['body'], type: 'form_invalid', input: null, ctx: {} }, msg: 'Input should be a valid form' },
    ]);
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\0', '') : value.name]),
  );
}

/** A message as the run gets it: the fields of an object as they are, anything else as `body`. */
export async function payloadOf({ bytes, headers }: RawBody): Promise<Record<string, unknown>> {
  const type = headers['content-type'] ?? '';
  if (bytes.length === 0) return {};
  if (isForm.test(type)) return fieldsOf(bytes, type);
  // NUL characters are removed, since PostgreSQL cannot store them in text.
  if (!isJson.test(type)) return { body: bytes.toString().replaceAll('\0', '') };
  const read = readJson(bytes);
  if (!read.ok)
    throw new InvalidRequest(
      read.validationErrors.map((validationError) => ({ ...validationError, loc: ['body', ...validationError.loc] })),
    );
  const { value } = read;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { body: value };
}

const describingHeaders = /^(?:content-type|user-agent|webhook-(?:id|timestamp)|x-.+)$/;
/** Headers that may contain credentials. */
const credentialHeaders = /key|secret|signature|token|auth|cookie|credential|forwarded|real-ip/;

/** The headers that describe the message, without credentials of the sender. */
export const visibleHeaders = (headers: RawBody['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => describingHeaders.test(name) && !credentialHeaders.test(name))
      .slice(0, 50)
      .map(([name, value]) => [name, value.slice(0, 500)]),
  );
