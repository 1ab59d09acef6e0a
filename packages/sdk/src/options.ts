import type { AtriumError } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Bytes = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;
export interface Progress {
  /** Bytes that were sent. */
  loaded: number;
  total: number;
}

export interface ClientOptions {
  /** Where the server is; a page that the server itself delivers leaves it out. */
  baseUrl?: string | undefined;
  /** Sent as `X-API-Key`. Without it the browser sends the session cookie of its own origin. */
  apiKey?: string | undefined;
  /** The workspace to work in; the usual one of the key or the person unless given. */
  workspaceId?: string | undefined;
  fetch?: Fetch | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** How long an attempt may take, in milliseconds; 130,000 unless given. Streams are not limited by it. */
  timeout?: number | undefined;
  /** How often a request is repeated at most; 4 unless given. */
  maxRetries?: number | undefined;
  /** The first pause before a repeat in milliseconds, 500 unless given; each further one is twice as long, up to 15 seconds. */
  retryPause?: number | undefined;
  /** Called for 401, once for all requests that wait for it. The requests are repeated when it returns true. */
  onUnauthorized?: ((error: AtriumError) => boolean | Promise<boolean>) | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  /** The `etag` that the record is expected to have: 409 `etag_mismatch` otherwise. */
  ifMatch?: string | undefined;
  /** Made for each POST unless given; repeats of a request have the same. */
  idempotencyKey?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Called with each answer, for its headers. */
  onResponse?: ((response: Response) => void) | undefined;
  /** Called while a form is sent. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

export type StreamState = 'idle' | 'joining' | 'live' | 'waiting' | 'done' | 'lost';

/** Values of a query; lists are repeated. */
export type Query = Readonly<Record<string, unknown>>;

export interface StreamOptions extends Pick<RequestOptions, 'signal' | 'idempotencyKey' | 'headers'> {
  query?: Query | undefined;
  /** The id of the last part that the client has, to go on after it. */
  lastEventId?: string | undefined;
  /** Called when the state changes. */
  onState?: ((state: StreamState) => void) | undefined;
  /** How many attempts in a row may fail before the stream gives up. */
  maxRetries?: number | undefined;
}
