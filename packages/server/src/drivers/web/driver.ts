import type { Readable } from 'node:stream';

export interface WebRequest {
  /** GET unless told otherwise. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The most bytes its answer may have, as they come and as they are once unpacked. */
  max_bytes?: number;
  /** For all of it: names, connections, redirects and the body to its last byte. */
  timeout_ms?: number;
  /** The longest silence. */
  idle_ms?: number;
  /** `false`: an answer that sends us elsewhere is handed on as it is, and nothing is sent there. */
  follow?: boolean;
  /** A header of any name may hold a secret: a redirect to another origin takes none of them along. */
  has_secrets?: boolean;
  signal?: AbortSignal;
}

export interface WebAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  url: string;
  /** Fails with WebRefused when it grows too large, stalls or breaks off. Whoever does not want it destroys it. */
  body: Readable;
}

/** The only way to an address that somebody outside has chosen: users, models, web pages, settings. */
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

/** Why there is no answer, in words for whoever named the address; no address that a name stands for is in them. */
export class WebRefused extends Error {
  readonly code: WebRefusal;

  constructor(code: WebRefusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
