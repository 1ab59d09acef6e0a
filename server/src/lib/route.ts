import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { RawAnswer } from './answer.ts';
import type { Permission } from './permissions.ts';
import type { Scope } from './scope.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A list: one of these, and the handler asks for the one that fits what the request is about. `any`: every valid key may; the handler answers only about the caller itself. `link`: no key, but the secret of a
 * shared link in the path parameter `token`. `open`: no key either; the service knows its senders by the path or by what
 * they signed, and acts for nobody until it does.
 */
export type RoutePermission = Permission | readonly Permission[] | 'any' | 'link' | 'open';

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
  /** The files of a multipart body, one after the other, each to be read to its end before the next. */
  files(): AsyncIterable<SentFile>;
  /** The headers, and the body of an operation that takes it `raw`. */
  raw(): RawBody;
}

/** A request as it came, for whoever checks a signature over it. */
export interface RawBody {
  bytes: Buffer;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

export interface SentFile {
  /** Name of the form field. */
  field: string;
  /** What the caller calls it. Shown to people, never used as a path. */
  filename: string;
  stream: Readable;
}

/** One operation as data: validation, permission, the OpenAPI document and the walk over all routes come from it. */
export interface Route {
  route: `${Method} /${string}`;
  summary: string;
  tag: string;
  permission: RoutePermission;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer: z.ZodType;
  /** A body that is accepted as it stands; shown in the reference and used by the walks over all routes. */
  example?: Record<string, unknown>;
  /** Largest body in bytes, where it differs from the general limit. */
  body_limit?: number;
  /** The operation takes a multipart form whose files are in this field, instead of a JSON body. */
  upload?: { field: string };
  /** The operation takes any body, byte for byte. */
  raw?: true;
  /**
   * `own`: the service keeps the Idempotency-Key with what it makes, and joins a repeated request to the first; the
   * answer of a stream, or of a run that goes on, can't be stored.
   */
  idempotency?: 'own';
  /** `openai`: errors have the body that clients of the chat completions protocol read; statuses stay as everywhere. */
  errors?: 'openai';
  /** What a 200 holds when it is not JSON; `answer` then says nothing. */
  content_type?: string;
  handler(scope: Scope, input: RouteInput<z.ZodType, z.ZodType, z.ZodType>): Promise<unknown> | unknown;
  /**
   * Turns what the handler returns into the answer, where that is more than writing it as JSON. Kept apart from the
   * handler, because the transaction of a request with an Idempotency-Key stores the answer of its result too.
   */
  present?(result: unknown, scope: Scope): RawAnswer;
}

/** Checks the handler against the schemas, then forgets the types, so that all routes fit in one list. */
export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType = z.ZodType,
  R = z.input<A> | RawAnswer,
>(
  route: Omit<Route, 'params' | 'query' | 'body' | 'answer' | 'handler' | 'present'> & {
    params?: P;
    query?: Q;
    body?: B;
    answer: A;
    handler(scope: Scope, input: RouteInput<P, Q, B>): Promise<R> | R;
  } & (R extends z.input<A> | RawAnswer
      ? { present?(result: R, scope: Scope): RawAnswer }
      : { present(result: R, scope: Scope): RawAnswer }),
): Route {
  return route as unknown as Route;
}

/** `PATCH /v1/x/{id}` in its two parts. */
export function methodAndPath(route: Route): { method: Method; path: string } {
  const [method, path] = route.route.split(' ') as [Method, string];
  return { method, path };
}
