/** The kinds of domain errors. Services throw them; only `http/errors.ts` knows the status of each. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'locked'
  | 'too_many'
  | 'unavailable';

export class AppError extends Error {
  readonly kind: ErrorKind;
  /** What clients branch on; the kind itself unless the case has a name of its own (`usage_limit_reached`). */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the answer besides `detail` and `code`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: ErrorKind,
    message: string,
    options: { code?: string; headers?: Record<string, string>; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.kind = kind;
    this.code = options.code ?? kind;
    this.headers = options.headers ?? {};
    this.details = options.details ?? {};
  }
}

/** One validation error of a request, in the shape callers get it. `loc` starts with body, query, path or header. */
export interface ValidationError {
  loc: string[];
  msg: string;
  type: string;
  input: unknown;
  ctx: Record<string, unknown>;
}

/** The request is invalid: answered with every validation error, not only the first. */
export class InvalidRequest extends Error {
  readonly validationErrors: ValidationError[];

  constructor(validationErrors: ValidationError[]) {
    super('The request is not valid');
    this.validationErrors = validationErrors;
  }
}

/** Missing, deleted and another workspace's are one answer, so that an id can't be probed. */
export const notFound = (what: string) => new AppError('not_found', `No such ${what}`);

export const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is needed, in the header X-API-Key or as Authorization: Bearer <key>');

export const forbidden = (message: string, code?: string) =>
  new AppError('forbidden', message, code === undefined ? {} : { code });

export const conflict = (message: string, code?: string) =>
  new AppError('conflict', message, code === undefined ? {} : { code });

export const unavailable = (message: string, code?: string) =>
  new AppError('unavailable', message, code === undefined ? {} : { code });

/**
 * A validation error that a service found after the shape was right: an id that refers to nothing, an unusable name.
 */
export const invalid = (loc: string[], error: string, input: unknown) =>
  new InvalidRequest([
    { loc, msg: `Value error, ${error}`, type: 'value_error', input: input ?? null, ctx: { error } },
  ]);
