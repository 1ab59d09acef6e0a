import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import { maskSecretErrors, secretKeys } from '@atrium/contract/schema/secrets.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { fieldsOf } from '../lib/json/fields-of.ts';
import { scanText } from '../lib/json/read-json.ts';
import type { RawBody, Route, RouteInput } from '../lib/route.ts';
import { isMultipart, readUploadedFiles } from './body/multipart.ts';
import { type ReadBody, readBodyOf } from './body/read-bodies.ts';

export type AnyInput = RouteInput<z.ZodType, z.ZodType, z.ZodType>;

/** The most validation errors in one answer. */
const maxValidationErrors = 1000;
function add(validationErrors: ValidationError[], more: readonly ValidationError[]): void {
  for (const validationError of more) {
    if (validationErrors.length >= maxValidationErrors) return;
    validationErrors.push(validationError);
  }
}

function parsePart(
  schema: z.ZodType | undefined,
  raw: unknown,
  at: string,
  validationErrors: ValidationError[],
): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  add(validationErrors, toValidationErrors(schema, parsed.error.issues, raw, at));
  return undefined;
}

const textErrors = {
  nul: { type: 'string_nul', msg: 'String should not contain a NUL character' },
  surrogate: {
    type: 'string_unicode',
    msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
  },
};

/** Path and query as plain objects of text: of a parameter given twice the last counts. */
function textPart(part: unknown, at: string, validationErrors: ValidationError[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fieldsOf(part))) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    const trouble = typeof last === 'string' ? scanText(last) : undefined;
    if (trouble) validationErrors.push({ loc: [at, key], ...textErrors[trouble], input: last, ctx: {} });
    values[key] = last;
  }
  return values;
}

/** If-Match carries our etag, in the quotes HTTP wants or without them. `*` matches anything, so it asks nothing. */
function ifMatch(request: FastifyRequest): string | undefined {
  const header = request.headers['if-match'];
  return header === undefined || header === '*' ? undefined : header.replace(/^(?:W\/)?"(.*)"$/, '$1');
}

const textHeader = (request: FastifyRequest, name: string) => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Of a header that came several times all values count, as HTTP joins them. */
const rawOf = (request: FastifyRequest): RawBody => ({
  bytes: readBodyOf(request)?.bytes ?? Buffer.alloc(0),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  ),
});

/** Checks all parts of a request in the order path, query, body, and reports every validation error in one answer. */
export function validator(route: Route): (request: FastifyRequest) => AnyInput {
  // Computed when first needed: for all operations together they take a tenth of the start.
  let secrets: ReturnType<typeof secretKeys> | undefined;
  const maskSecrets = (errors: ValidationError[]) => {
    if (!errors.length) return errors;
    secrets ??= secretKeys(route.body ? jsonSchemaOf(route.body, 'input') : {});
    return maskSecretErrors(errors, secrets);
  };
  const isBodyOptional = () => route.body?.safeParse({}).success ?? false;

  function parseBody(sent: ReadBody | undefined, validationErrors: ValidationError[]): unknown {
    if (!route.body) return undefined;
    if (sent?.validationErrors.length) {
      add(validationErrors, maskSecrets(sent.validationErrors));
      return undefined;
    }
    if (sent === undefined && !isBodyOptional()) {
      validationErrors.push({ loc: ['body'], msg: 'Field required', type: 'missing', input: null, ctx: {} });
      return undefined;
    }
    const found: ValidationError[] = [];
    // A body of null says what no body says.
    const parsed = parsePart(route.body, sent?.value ?? {}, 'body', found);
    add(validationErrors, maskSecrets(found));
    return parsed;
  }

  return (request) => {
    const validationErrors: ValidationError[] = [];
    const fields: Record<string, string> = {};
    const is_form = route.upload !== undefined && isMultipart(request);
    const input = {
      params:
        route.params &&
        parsePart(route.params, textPart(request.params, 'path', validationErrors), 'path', validationErrors),
      query:
        route.query &&
        parsePart(route.query, textPart(request.query, 'query', validationErrors), 'query', validationErrors),
      body: is_form ? undefined : parseBody(readBodyOf(request), validationErrors),
      if_match: ifMatch(request),
      last_event_id: textHeader(request, 'last-event-id'),
      range: request.headers.range,
      if_range: textHeader(request, 'if-range'),
      files: () => readUploadedFiles(request, fields),
      fields,
      is_form,
      raw: () => rawOf(request),
    };
    if (validationErrors.length) throw new InvalidRequest(validationErrors);
    return input;
  };
}
