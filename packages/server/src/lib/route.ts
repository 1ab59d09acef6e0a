import type { Readable } from 'node:stream';
import type { Operation } from '@atrium/contract/operation.ts';
import type { z } from 'zod';
import type { RawAnswer } from './responses/raw-answer.ts';
import type { Scope } from './scope.ts';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteInput<P, Q, B> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** The value of If-Match, without quotes. */
  if_match: string | undefined;
  /** Where a stream was cut off, as the browser's own reconnect tells it. */
  last_event_id: string | undefined;
  /** The value of Range, as it came. */
  range: string | undefined;
  /** The value of If-Range, as it came. */
  if_range: string | undefined;
  /** The files of a multipart body in order; each is read to its end before the next. */
  files(): AsyncIterable<UploadedFile>;
  /** The text fields of a multipart body that the operation knows; complete when its files have been read. */
  fields: Readonly<Record<string, string>>;
  /** The body is a form: `body` was not read. */
  is_form: boolean;
  /** The headers, and the body of an operation that takes it `raw`. */
  raw(): RawBody;
}

/** The request as it was sent, for handlers that verify a signature over it. */
export interface RawBody {
  bytes: Buffer;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

export interface UploadedFile {
  /** Name of the form field. */
  field: string;
  /** What the caller calls it. Shown to people, never used as a path. */
  filename: string;
  stream: Readable;
}

/** An operation with its handler. */
export interface Route extends Operation {
  handler(scope: Scope, input: RouteInput<z.ZodType, z.ZodType, z.ZodType>): Promise<unknown> | unknown;
  /**
   * Turns the handler's result into the answer, where that is more than writing it as JSON. Separate from the handler,
   * because the transaction of a request with an Idempotency-Key stores the answer of its result too.
   */
  present?(result: unknown, scope: Scope): RawAnswer;
}

/** Checks the handler against the operation's schemas, then erases the types, so that all routes fit in one list. */
export function handle<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  A extends z.ZodType,
  R = z.input<A> | RawAnswer,
>(
  operation: Operation<P, Q, B, A>,
  handler: (scope: Scope, input: RouteInput<P, Q, B>) => Promise<R> | R,
  ...[present]: R extends z.input<A> | RawAnswer
    ? [present?: (result: R, scope: Scope) => RawAnswer]
    : [present: (result: R, scope: Scope) => RawAnswer]
): Route {
  return { ...operation, handler, ...(present && { present }) } as unknown as Route;
}
