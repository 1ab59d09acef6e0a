import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { errorCode } from '../../lib/error-code.ts';
import { WebRefused } from '../web/driver.ts';
import { ModelError } from './driver.ts';

const longest = 300;

/** Text that looks like a key; some servers print the key that they refuse. */
const keyLike = /\b(?:sk|pk|gsk|xai)-[\w-]{8,}|\b(?:api|key|AIza|AKIA)[-_]?(?=[\w-]*\d)[\w-]{12,}|\bBearer\s+\S+/gi;

/** A key that the server has masked itself, of which the ends are left. */
const maskedKey = /[\w-]*[*•]{3,}[\w*•-]*/g;

/** The message of a provider for users and logs: short, on one line, without secrets. */
export function redactProviderMessage(text: string, secrets: readonly string[]): string {
  let words = text.replaceAll(/\s+/g, ' ').trim();
  for (const secret of secrets) if (secret.length >= 4) words = words.replaceAll(secret, '***');
  words = words.replaceAll(keyLike, '***').replaceAll(maskedKey, '***');
  return words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
}

/** Milliseconds, seconds or a date: providers use all three. */
export function retryAfter(headers: Record<string, string> | undefined, now = Date.now()): number | undefined {
  const given = headers?.['retry-after-ms'] ?? headers?.['retry-after'];
  if (given === undefined) return undefined;
  const number = Number(given);
  const ms = Number.isNaN(number)
    ? Date.parse(given) - now
    : number * (headers?.['retry-after-ms'] === undefined ? 1000 : 1);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.round(ms));
}

const isStatus = (value: unknown): value is number => typeof value === 'number' && value >= 400 && value <= 599;

/** The reason of a failure below HTTP, which is in its cause; the message is only "fetch failed". */
function networkReason(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (deepest instanceof WebRefused) return deepest.message;
  const words = [errorCode(deepest), deepest instanceof Error ? deepest.message : undefined];
  return words.find((word): word is string => typeof word === 'string' && word !== '') ?? 'unknown reason';
}

const streamError = z.object({ message: z.unknown(), statusCode: z.unknown(), code: z.unknown() }).partial();

const unreadable = [JSONParseError, TypeValidationError, InvalidResponseDataError];
const refusals = [UnsupportedFunctionalityError, InvalidArgumentError, InvalidPromptError];

/**
 * Turns any failure into a ModelError. Only the message is kept: the library's error holds the whole request, which must
 * not get into logs.
 */
export function asModelError(error: unknown, secrets: readonly string[]): ModelError {
  if (error instanceof ModelError) return error;
  const words = (text: string) => redactProviderMessage(text, secrets);

  if (APICallError.isInstance(error)) {
    const retry_after_ms = retryAfter(error.responseHeaders);
    if (isStatus(error.statusCode))
      return new ModelError(words(`The provider answered ${error.statusCode}: ${error.message || 'no reason given'}`), {
        status: error.statusCode,
        ...(retry_after_ms !== undefined && { retry_after_ms }),
      });
    // A success that could not be read to its end: the connection broke off.
    if (error.statusCode !== undefined)
      return new ModelError(words(`The connection broke off: ${networkReason(error)}`));
    return new ModelError(words(`The provider could not be reached: ${networkReason(error)}`));
  }
  if (unreadable.some((kind) => kind.isInstance(error)))
    return new ModelError('The provider sent an answer that could not be read');
  // Nothing was sent, and a retry would fail the same way.
  if (error instanceof Error && refusals.some((kind) => kind.isInstance(error)))
    return new ModelError(words(error.message), { status: 400 });
  if (error instanceof Error)
    return new ModelError(words(`The provider could not be reached: ${networkReason(error)}`));

  // An error that came inside the stream, as an object or a text.
  const { message, statusCode, code } = streamError.safeParse(error).data ?? { message: error };
  const status = [statusCode, Number(code)].find(isStatus);
  return new ModelError(words(`The provider broke off: ${typeof message === 'string' ? message : 'no reason given'}`), {
    ...(status !== undefined && { status }),
  });
}
