import type { Readable } from 'node:stream';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { isHostListed } from '@atrium/contract/settings/strictness/host-patterns.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';

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
  /** The only hosts that may be reached, also by redirects; an empty list restricts nothing. */
  hosts?: readonly string[];
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

/** Takes an answer as its bytes come. After `end` or `fail` nothing else is called. */
export interface PostReceiver {
  /** Names of headers are in lower case. */
  head(status: number, status_text: string, headers: Readonly<Record<string, string>>): void;
  data(bytes: Buffer): void;
  end(): void;
  fail(error: unknown): void;
}

/** A POST under way. */
export interface PostControl {
  /** Stops reading from the connection until `resume`. */
  pause(): void;
  resume(): void;
  /** Closes the connection; the receiver fails with this reason. */
  abort(reason: unknown): void;
}

/** Sends a body and passes its answer on piece by piece. A redirect is an error, as for `fetch`. */
export type Post = (
  url: string,
  request: { headers: Readonly<Record<string, string>>; body: string },
  receiver: PostReceiver,
) => PostControl;

/** Two ways to the same guarded connections: whole answers by `fetch`, streams of bytes by `post`. */
export interface KeptConnections {
  /** Like the platform's fetch, but a redirect is an error: the request is meant for this address only. */
  fetch: typeof fetch;
  post: Post;
}

export type WebRefusal =
  | 'bad_request'
  | 'private_address'
  | 'host_not_allowed'
  | 'unreachable'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'bad_answer';

/** Why there is no answer, in words for the user who gave the address; it names no resolved address. */
export class WebRefused extends Error {
  readonly code: WebRefusal;
  /** What the operator can do about it; only for members of the workspace. */
  readonly advice: string | null;

  constructor(code: WebRefusal, message: string, cause?: unknown, advice: string | null = null) {
    super(message, { cause });
    this.code = code;
    this.advice = advice;
  }
}

/**
 * The message of a refusal, or of an error that it caused. Members of the workspace who may change such addresses also
 * read what the operator can do: callers with the permission, or people who read the records of the workspace.
 */
export function explainRefusal(
  error: Error,
  reader: 'members' | (Pick<Scope, 'actor' | 'permissions'> & { permission: Permission }),
): string {
  const refusal = error instanceof WebRefused ? error : error.cause;
  const advice = refusal instanceof WebRefused ? refusal.advice : null;
  if (advice === null) return error.message;
  const reads = reader === 'members' || (!isOutsider(reader) && allows(reader.permissions, reader.permission));
  return reads ? `${error.message}; ${advice}` : error.message;
}

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'postgres:': '5432',
  'postgresql:': '5432',
};

/** Refuses an address whose host the setting allowed_hosts of a run does not name. */
export function requireAllowedHost(url: URL, hosts: readonly string[] | undefined): void {
  if (!hosts || hosts.length === 0) return;
  const hostname = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port || (defaultPorts[url.protocol] ?? '');
  if (isHostListed(hosts, { hostname, port })) return;
  throw new WebRefused(
    'host_not_allowed',
    `this agent may not reach ${url.host}: its allowed_hosts do not name that host`,
  );
}
