import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { ModelError } from '../driver.ts';
import { AnswerError, asModelError, redactProviderMessage, UnreadableAnswer } from '../model-errors.ts';

const unreadable = [JSONParseError, TypeValidationError, InvalidResponseDataError];
const refusals = [UnsupportedFunctionalityError, InvalidArgumentError, InvalidPromptError];

/** Translates an error of a provider package into one of ours; any other stays as it is. */
export function fromSdkError(error: unknown): unknown {
  if (APICallError.isInstance(error)) {
    const { message, statusCode: status, responseHeaders: headers, responseBody: body, cause } = error;
    if (status === undefined) return error;
    return new AnswerError(message, { status, cause, ...(headers && { headers }), ...(body && { body }) });
  }
  return unreadable.some((kind) => kind.isInstance(error)) ? new UnreadableAnswer() : error;
}

/** Turns any failure of a provider package into a ModelError. */
export function sdkModelError(error: unknown, secrets: readonly string[]): ModelError {
  // Nothing was sent, and a retry would fail the same way.
  if (error instanceof Error && refusals.some((kind) => kind.isInstance(error)))
    return new ModelError(redactProviderMessage(error.message, secrets), { status: 400 });
  return asModelError(fromSdkError(error), secrets);
}
