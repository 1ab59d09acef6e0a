import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorKind, InvalidRequest } from '../lib/errors.ts';
import { errorFields, type Log } from '../lib/log.ts';

/** The one table that turns what went wrong into a status. */
const statuses: Record<ErrorKind, number> = {
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

/** PostgreSQL is away, starting or full: the caller did nothing wrong and may try again. */
function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^(08|57P0|53)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/.test(code)) return true;
  return (
    typeof message === 'string' && /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  );
}

/** What the framework itself refuses, before any of our code has seen the request. */
function frameworkAnswer(error: unknown): ErrorAnswer | undefined {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return plain(413, 'too_large', 'The body is larger than this operation takes');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return plain(404, 'not_found', 'No such operation');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return plain(statusCode, 'bad_request', 'The request could not be read');
  return undefined;
}

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof InvalidRequest) return { status: 422, body: { detail: error.faults } };
  if (error instanceof AppError) return plain(statuses[error.kind], error.code, error.message, error.headers);
  if (isOutage(error))
    return plain(503, 'unavailable', 'The database is not reachable at the moment', { 'retry-after': '1' });
  // A 500 says nothing of its cause: it is in the log, under the request id the caller was given.
  return frameworkAnswer(error) ?? plain(500, 'internal_error', 'Something went wrong on our side');
}

/** The error as an answer; what is our own fault goes to the log with its cause. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const { status, body, headers } = errorAnswer(error);
  if (status >= 500)
    log.error('A request failed', { request_id: request.id, route: request.routeOptions.url, ...errorFields(error) });
  return reply
    .code(status)
    .headers(headers ?? {})
    .send(body);
}
