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
export function retryAfter(
  headers: Readonly<Record<string, string>> | undefined,
  now = Date.now(),
): number | undefined {
  const given = headers?.['retry-after-ms'] ?? headers?.['retry-after'];
  if (given === undefined) return undefined;
  const number = Number(given);
  const ms = Number.isNaN(number)
    ? Date.parse(given) - now
    : number * (headers?.['retry-after-ms'] === undefined ? 1000 : 1);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.round(ms));
}

/** An answer that is not the wanted one: a refusal, or a success that could not be read to its end. */
export class AnswerError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: string;

  constructor(
    message: string,
    given: { status: number; headers?: AnswerError['headers']; body?: string; cause?: unknown },
  ) {
    super(message, { cause: given.cause });
    this.status = given.status;
    this.headers = given.headers;
    this.body = given.body ?? '';
  }
}

/** An answer that is not of the provider's protocol. */
export class UnreadableAnswer extends Error {}

/** An answer that would take too much memory. */
export class TooLargeAnswer extends Error {}

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

/** Turns any failure into a ModelError. Only the message is kept: an error may hold the whole request or answer. */
export function asModelError(error: unknown, secrets: readonly string[]): ModelError {
  if (error instanceof ModelError) return error;
  const words = (text: string) => redactProviderMessage(text, secrets);

  if (error instanceof AnswerError) {
    // The connection broke off, or nothing came over it.
    if (!isStatus(error.status)) return new ModelError(words(`The connection broke off: ${networkReason(error)}`));
    const retry_after_ms = retryAfter(error.headers);
    return new ModelError(words(`The provider answered ${error.status}: ${error.message || 'no reason given'}`), {
      status: error.status,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    });
  }
  if (error instanceof TooLargeAnswer) return new ModelError('The provider sent more than is taken as one answer');
  if (error instanceof UnreadableAnswer) return new ModelError('The provider sent an answer that could not be read');
  if (error instanceof Error)
    return new ModelError(words(`The provider could not be reached: ${networkReason(error)}`));

  // An error that came inside the stream, as an object or a text.
  const { message, statusCode, code } = streamError.safeParse(error).data ?? { message: error };
  const status = [statusCode, Number(code)].find(isStatus);
  return new ModelError(words(`The provider broke off: ${typeof message === 'string' ? message : 'no reason given'}`), {
    ...(status !== undefined && { status }),
  });
}
