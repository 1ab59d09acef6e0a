import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorKind, InvalidRequest } from '@atrium/contract/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCode } from '../lib/error-code.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { isOutage } from '../lib/outages/is-outage.ts';
import { required } from '../lib/required.ts';
import type { Route } from '../lib/route.ts';
import { completionErrorAnswer } from './completion-errors.ts';
import { errorPageAnswer } from './error-page.ts';
import { scimErrorAnswer } from './scim-errors.ts';

/** The one table that turns what went wrong into a status. */
const statuses: Record<ErrorKind, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  locked: 423,
  too_many: 429,
  unavailable: 503,
};

export interface ErrorAnswer {
  status: number;
  body: { detail: unknown; code?: string };
  headers?: Readonly<Record<string, string>>;
}

const plain = (status: number, code: string, detail: string, headers?: Record<string, string>): ErrorAnswer =>
  headers ? { status, body: { detail, code }, headers } : { status, body: { detail, code } };

/** The fields that errors of PostgreSQL, Node and Fastify have. */
const errorFieldsOf = (
  error: unknown,
): { code?: unknown; message?: unknown; detail?: unknown; statusCode?: unknown } =>
  typeof error === 'object' && error !== null ? error : {};

/** Several requests waited for each other in a circle, and PostgreSQL has ended this one: it may be done again. */
const isInTheWay = (error: unknown) => errorCode(error) === '40P01';

/**
 * The parent of a new row was deleted between the check and the insert; the foreign key decides that race. Deleting a
 * row that still has children is a bug of the server instead.
 */
function isOrphan(error: unknown): boolean {
  const { code, detail } = errorFieldsOf(error);
  return code === '23503' && typeof detail === 'string' && detail.includes('is not present in table');
}

/** What the framework itself refuses, before any of our code has seen the request. */
function frameworkAnswer(error: unknown): ErrorAnswer | undefined {
  const { code, statusCode } = errorFieldsOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return plain(413, 'too_large', 'The body is larger than this operation takes');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return plain(415, 'unsupported_media_type', 'The content type could not be read');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return plain(404, 'not_found', 'No such operation');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return plain(statusCode, 'bad_request', 'The request could not be read');
  return undefined;
}

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof InvalidRequest) return { status: 422, body: { detail: error.validationErrors } };
  if (error instanceof AppError) {
    const answer = plain(statuses[error.kind], error.code, error.message, error.headers);
    return { ...answer, body: { ...answer.body, ...error.details } };
  }
  if (isOutage(error))
    return plain(503, 'unavailable', 'The database is not reachable at the moment', { 'retry-after': '1' });
  if (isInTheWay(error))
    return plain(503, 'unavailable', 'Others were at work on this at the same moment', { 'retry-after': '1' });
  if (isOrphan(error)) return plain(404, 'not_found', 'What this belongs to was deleted meanwhile');
  // A 500 says nothing of its cause: it is in the log, under the request id the caller was given.
  return frameworkAnswer(error) ?? plain(500, 'internal_error', 'Something went wrong on our side');
}

type Malformed = readonly [status: string, code: string, detail: string];
const malformed: Record<string, Malformed> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'too_large', 'The headers are too large'],
  other: ['400 Bad Request', 'bad_request', 'The request could not be read'],
};

type Format = { [K in 'error_format' | 'error_page']?: Route[K] | undefined };
const inFormat = ({ error_format: format, error_page }: Format, answer: ErrorAnswer, accept: string | undefined) => {
  if (error_page && /\btext\/html\b/.test(accept ?? '')) return errorPageAnswer(answer);
  if (format === 'openai') return completionErrorAnswer(answer);
  return format === 'scim' ? scimErrorAnswer(answer) : answer;
};

/** Answers with the error; a server error is logged with its cause. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const { accept } = request.headers;
  const { status, body, headers } = inFormat(request.routeOptions.config ?? {}, errorAnswer(error), accept);
  const fields = { request_id: request.id, route: request.routeOptions.url };
  // An outage that the server answers in words (a provider is down, a queue is full) is no fault of the code: no stack.
  if (error instanceof AppError && status >= 500)
    log.warn('A request failed', { ...fields, error: error.message, error_code: error.code });
  else if (status >= 500) log.error('A request failed', { ...fields, ...errorFields(error) });
  return (
    reply
      .code(status)
      // Hooks do not run for what the framework refuses, so the id is set here too.
      .headers({ ...headers, 'x-request-id': request.id })
      .send(body)
  );
}

/** A request that is not valid HTTP is answered on the bare socket, in the same shape as all errors. */
export function answerMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const [status, code, detail] = malformed[error.code ?? ''] ?? required(malformed['other']);
    const body = JSON.stringify({ detail, code });
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
        `X-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}
