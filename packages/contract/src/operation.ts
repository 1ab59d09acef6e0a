import type * as z from 'zod';
import { conflicts, type OperationError, refused } from './operation-errors.ts';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type RoutePath = `${Method} /${string}`;

/**
 * A permission that the caller's key must hold. A list: one of these; the handler asks for the one that the request needs.
 * `any`: every valid key; the handler answers only about the caller itself, or what is the same for all. `link`: no key, but the secret of a shared link
 * in the path parameter `token`. `open`: no key either; the service identifies the sender by the path or a signature.
 * `session`: a person who is signed in, about themselves; API keys are refused. `scim`: a SCIM token as bearer, and nothing else.
 */
export type OperationPermission = Permission | readonly Permission[] | 'any' | 'link' | 'open' | 'session' | 'scim';

/** One operation of the API as data: validation, permission, the OpenAPI document, the SDK and the route walks come from it. */
export interface Operation<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends z.ZodType = z.ZodType,
  I extends string = string,
> {
  /** `feature.verb`; names the operation in the SDK and the OpenAPI document. */
  id: I;
  route: RoutePath;
  /** One line, shown in lists. */
  summary: string;
  /** What the operation does and when to use it. */
  description?: string;
  tag: string;
  permission: OperationPermission;
  params?: P;
  query?: Q;
  body?: B;
  answer: A;
  /** A body that is accepted as it stands; shown in the reference and used by the walks over all operations. */
  example?: Record<string, unknown>;
  /** Largest body in bytes, where it differs from the general limit. */
  body_limit?: number;
  /**
   * The operation takes a multipart form whose files are in this field, instead of the JSON body or beside it. `fields`
   * are the text fields of the form with their descriptions.
   */
  upload?: { field: string; description: string; fields?: Readonly<Record<string, string>> };
  /** The operation takes any body, byte for byte. */
  raw?: true;
  /**
   * `own`: the service stores the Idempotency-Key with the record that it creates and joins a repeated request to the first;
   * the answer of a stream, or of a run that goes on, can't be stored. `none`: the operation takes no Idempotency-Key; its
   * answer sets a cookie, or its secret works once anyway.
   */
  idempotency?: 'own' | 'none';
  /**
   * Whether a call writes a row of the audit log: every operation that is no GET does, unless it says why not; a GET with
   * `true` does too.
   */
  audit?: true | { none: string };
  /**
   * `openai`: errors have the body that clients of the chat completions protocol read; statuses stay as everywhere. `scim`:
   * errors and answers are those of SCIM, and what is not valid is 400.
   */
  error_format?: 'openai' | 'scim';
  /** Browsers open it themselves: who asks for HTML is answered errors as a page that leads to sign-in. */
  error_page?: true;
  /** The status of a success that is not 200; 204 has no body. */
  status?: 201 | 204;
  /** A person whose organization requires a second factor may call it before they have enrolled one. */
  before_second_factor?: true;
  /** With the permission `any`: a person who belongs to no workspace may call it too. */
  without_workspace?: true;
  /** The errors of this operation that clients may want to tell apart. */
  errors?: readonly OperationError[];
  /** The type of a 200 answer that is not JSON; `answer` then says nothing. */
  content_type?: string;
  /**
   * The record is set as a whole: answers of its GET and PUT have its version in the header ETag, and the PUT takes it as
   * If-Match.
   */
  versioned?: true;
  /** The answer is a list that seldom changes: it has an ETag, and 304 says that the caller has it already. */
  catalogue?: true;
}

/** Whether the operation refuses to overwrite a record that is newer than the one that the client has seen. */
export const takesIfMatch = ({
  route,
  permission,
  raw,
  versioned,
}: Pick<Operation, 'route' | 'permission' | 'raw' | 'versioned'>): boolean =>
  // A part of an upload says where it begins instead.
  (route.startsWith('PATCH ') && permission !== 'scim' && !raw) || (route.startsWith('PUT ') && versioned === true);

export const etagMismatch = conflicts(
  'etag_mismatch',
  'The record is newer than `If-Match` says: `etag` is its version now; `updated_at`, `updated_by` and `updated_by_actor` say when it was changed and by whom, null where that is not known.',
);

const notOwner = refused('not_owner', 'The conversation is shared with the caller, and only its owner may do this.');
const sharedReadOnly = refused('shared_read_only', 'The conversation is shared with the caller for reading only.');

/** What people whom a conversation is shared with may be refused. */
function sharedErrors({ route }: { route: RoutePath }): readonly OperationError[] {
  if (/^POST \/v1\/runs\/\{run_id\}\/(stop|retry)$/.test(route)) return [sharedReadOnly];
  return route.includes('/v1/conversations/{conversation_id}') ? [notOwner, sharedReadOnly] : [];
}

/** Keeps the exact id and schema types, which the server's handlers and the SDK are checked against. */
export function operation<
  A extends z.ZodType,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const I extends string = string,
>(definition: Operation<P, Q, B, A, I>): Operation<P, Q, B, A, I> {
  // An operation that lists its errors lists all of them.
  if (!definition.errors) return definition;
  const more = [...sharedErrors(definition), ...(takesIfMatch(definition) ? [etagMismatch] : [])];
  return more.length === 0 ? definition : { ...definition, errors: [...definition.errors, ...more] };
}

/** Whether a successful call writes one row of the audit log. */
export const isAudited = ({ route, audit }: Pick<Operation, 'route' | 'audit'>): boolean =>
  audit === undefined ? !route.startsWith('GET ') : audit === true;

/** `PATCH /v1/x/{id}` in its two parts. */
export function methodAndPath({ route }: { route: RoutePath }): { method: Method; path: string } {
  const [method, path] = route.split(' ') as [Method, string];
  return { method, path };
}
