import { completionError } from '@atrium/contract/completions/completion-error.ts';
import type { ValidationError } from '@atrium/contract/errors.ts';
import type { ErrorAnswer } from './errors.ts';

const placeOf = ({ loc }: ValidationError) => loc.slice(1).join('.');

/** The location and the message; the input is left out, since it may be a file. */
const formatValidationError = (validationError: ValidationError) =>
  placeOf(validationError) ? `${placeOf(validationError)}: ${validationError.msg}` : validationError.msg;

function bodyOf({ status, body: { detail, code } }: ErrorAnswer) {
  if (!Array.isArray(detail)) return completionError(status, code ?? 'error', String(detail));
  const validationErrors = detail;
  const [first] = validationErrors;
  const param = (first && placeOf(first)) || null;
  return completionError(
    status,
    first?.type ?? 'invalid_request',
    validationErrors.map(formatValidationError).join('; '),
    param,
  );
}

/** The same status in the body that clients of the chat completions protocol read. */
export function completionErrorAnswer(answer: ErrorAnswer) {
  // Such clients repeat a request after every 409; none of our conflicts resolves without a change of the request.
  const retry = answer.status === 409 ? { 'x-should-retry': 'false' } : {};
  return { status: answer.status, body: bodyOf(answer), headers: { ...retry, ...answer.headers } };
}
