import type { Readable } from 'node:stream';

export interface WebRequest {
  /** GET unless given. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The most bytes of the answer, both compressed and decompressed. */
  max_bytes?: number;
  /** The time limit of everything: lookup, connection, redirects and the whole body. */
  timeout_ms?: number;
  /** The longest pause between two pieces of data. */
  idle_ms?: number;
  /** `false`: a redirect is returned as it is and not followed. */
  follow?: boolean;
  /** A header of any name may hold a secret: a redirect to another origin gets none of them. */
  has_secrets?: boolean;
  signal?: AbortSignal;
}

export interface WebAnswer {
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The final address, after redirects. */
  url: string;
  /**
   * Fails with WebRefused when it grows too large, stalls or breaks off. A caller that does not read it must destroy
   * it.
   */
  body: Readable;
}

/** The only way to addresses that users, models, web pages or settings choose. */
export interface Web {
  fetch(url: string, request?: WebRequest): Promise<WebAnswer>;
}

export type WebRefusal =
  | 'bad_request'
  | 'private_address'
  | 'unreachable'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'bad_answer';

/** Why there is no answer, in words for the user who gave the address; it names no resolved address. */
export class WebRefused extends Error {
  readonly code: WebRefusal;

  constructor(code: WebRefusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
