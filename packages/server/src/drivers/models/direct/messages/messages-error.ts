import { UnreadableAnswer } from '../../model-errors.ts';
import { isObject } from '../protocol.ts';

/** Statuses that the provider's kinds of errors are answered with outside of streams. */
const statuses: Readonly<Record<string, number>> = {
  ...{ api_error: 500, overloaded_error: 529, rate_limit_error: 429, request_too_large: 413 },
  ...{ authentication_error: 401, permission_error: 403, not_found_error: 404 },
  ...{ billing_error: 400, invalid_request_error: 400 },
};

/** The provider's message in the body of a refusal. */
export function messagesError(value: unknown): string | undefined {
  if (!isObject(value) || value['type'] !== 'error' || !isObject(value['error'])) return undefined;
  const { type, message } = value['error'];
  return typeof type === 'string' && typeof message === 'string' ? message : undefined;
}

/** An error that comes as an event, with the status that it stands for. */
export function streamError(error: unknown): unknown {
  if (!isObject(error) || typeof error['type'] !== 'string' || typeof error['message'] !== 'string')
    return new UnreadableAnswer();
  const { type, message, code, statusCode } = error;
  return { message, code, statusCode: statusCode ?? statuses[type], data: 'data' in error ? error['data'] : error };
}
