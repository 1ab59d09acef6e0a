import { AppError, forbidden, InvalidRequest, notFound, unauthorized } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import type { FastifyRequest } from 'fastify';
import { readSessionCookie } from '../lib/responses/session-cookie.ts';
import type { Route } from '../lib/route.ts';
import { lacksPermission, type Principal, secondFactorRequired } from '../lib/scope.ts';
import { requireOwnOrigin } from './own-origin.ts';
import type { RateLimitHeaders, RequestLimits } from './request-limits.ts';

/** The one resolver from a credential to who it is; undefined for any credential that is not valid now. */
export interface PrincipalResolver {
  principalOf(credential: string): Promise<Principal | undefined>;
  /** The same for the secret of a shared link, which is good for that one thing only. */
  principalOfLink(token: string): Promise<Principal | undefined>;
  /** The person of a session in this workspace, or in the usual one; undefined for a token that is not valid now. */
  principalOfSession(token: string, workspace_id?: string, isUse?: boolean): Promise<Principal | undefined>;
  /** The person of a session alone, for operations about themselves. */
  personOfSession(token: string): Promise<Principal | undefined>;
  /** The directory of a SCIM token; undefined for a token that is not valid now. */
  principalOfScimToken(token: string): Promise<Principal | undefined>;
  /** Whether a workspace is one of this tenant's. */
  hasWorkspace(tenant_id: string, workspace_id: string): Promise<boolean>;
  /** Where browsers reach this server, and whether through TLS. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** Calls when a key or a link may have changed, with its id; an empty one says that any may have. */
  onChange(listener: (credential_id: string) => void): void;
}

/** The key a request carries. Two different ones are refused rather than one of them picked. */
function credentialOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key'];
  const key = typeof header === 'string' ? header.trim() : undefined;
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (key && bearer && key !== bearer) return undefined;
  return key || bearer;
}

export const hasKeyHeader = ({ headers }: FastifyRequest) =>
  headers['x-api-key'] !== undefined || headers.authorization !== undefined;
const isByCookie = (request: FastifyRequest, { isSecure }: PrincipalResolver) =>
  !hasKeyHeader(request) && readSessionCookie(request.headers.cookie, isSecure) !== undefined;
/** A page of another site must not sign a browser in as another person. The route is asked: a path can be written in many ways. */
const isSignIn = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith('/v1/auth/');

/** The scope of a request to an endpoint without a key; the service finds out for whom it acts. */
const nobody: Principal = {
  tenant_id: '',
  workspace_id: '',
  home_workspace_id: '',
  actor: { kind: 'system', id: '', name: 'Nobody' },
  permissions: new Set(),
  tenant_admin: false,
};

const workspaceHeader = s.query({ 'x-workspace-id': s.optional(s.uuid('workspace')) });

/** The workspace that a request names, if it names one. */
function namedWorkspace(request: FastifyRequest): string | undefined {
  if (request.headers['x-workspace-id'] === undefined) return undefined;
  const raw = { 'x-workspace-id': request.headers['x-workspace-id'] };
  const parsed = workspaceHeader.safeParse(raw);
  if (!parsed.success)
    throw new InvalidRequest(toValidationErrors(workspaceHeader, parsed.error.issues, raw, 'header'));
  return parsed.data['x-workspace-id'];
}

/** A system key may act in any workspace of its tenant by naming it; for other keys only their own exists. */
async function inNamedWorkspace(principal: Principal, request: FastifyRequest, resolver: PrincipalResolver) {
  const workspace_id = namedWorkspace(request);
  if (workspace_id === undefined || workspace_id === principal.workspace_id) return principal;
  if (!principal.tenant_admin || !(await resolver.hasWorkspace(principal.tenant_id, workspace_id)))
    throw notFound('workspace');
  return { ...principal, workspace_id };
}

const identify = (
  credential: string,
  request: FastifyRequest,
  resolver: PrincipalResolver,
  limits: RequestLimits | undefined,
) =>
  limits
    ? limits.identify(credential, request.ip, (key) => resolver.principalOf(key))
    : resolver.principalOf(credential);

/** The caller of a request: a key in a header, or else the person of the session cookie. */
async function findCaller(
  route: Pick<Route, 'permission' | 'without_workspace'>,
  request: FastifyRequest,
  resolver: PrincipalResolver,
  limits: RequestLimits | undefined,
): Promise<Principal | undefined> {
  const credential = credentialOf(request);
  if (credential !== undefined || hasKeyHeader(request))
    return credential ? identify(credential, request, resolver, limits) : undefined;
  const token = readSessionCookie(request.headers.cookie, resolver.isSecure);
  if (token === undefined) return undefined;
  requireOwnOrigin(request, resolver.origin);
  const workspace_id = namedWorkspace(request);
  if (route.without_workspace && workspace_id === undefined) {
    const person = await resolver.personOfSession(token);
    if (person?.must_enrol) throw secondFactorRequired();
    return person;
  }
  // Not counted as a wrong key: pages of a session that has ended go on asking, from the address of a whole office.
  return route.permission === 'session'
    ? resolver.personOfSession(token)
    : // A stream that looks again is no use of the session, which would never become idle.
      resolver.principalOfSession(token, workspace_id, limits !== undefined);
}

const bearerOf = ({ headers }: FastifyRequest) => /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];

/** A directory with its SCIM token. API keys and sessions are no such token, and it is none of them. */
async function findDirectory(request: FastifyRequest, resolver: PrincipalResolver, limits: RequestLimits | undefined) {
  const token = bearerOf(request);
  const resolve = (value: string) => resolver.principalOfScimToken(value);
  const isAlone = request.headers['x-api-key'] === undefined;
  const principal =
    token && isAlone && (limits ? await limits.identify(token, request.ip, resolve) : await resolve(token));
  if (!principal)
    throw new AppError('unauthorized', 'A valid SCIM token is needed', { headers: { 'www-authenticate': 'Bearer' } });
  return principal;
}

/**
 * Authenticates the caller and checks its permission before the body is read, so that unknown callers cost no parsing.
 * With `limits` it counts as a request, and `tell` gets the headers about what is left; a stream that checks its
 * permission again does not.
 */
export async function authorize(
  route: Pick<Route, 'permission' | 'before_second_factor' | 'without_workspace'>,
  request: FastifyRequest,
  resolver: PrincipalResolver,
  limits?: RequestLimits,
  tell: (headers: RateLimitHeaders) => void = () => {},
): Promise<Principal> {
  if (route.permission === 'open') {
    if (request.headers.origin !== undefined && isSignIn(request)) requireOwnOrigin(request, resolver.origin);
    return nobody;
  }
  if (route.permission === 'link') {
    const holder = await resolver.principalOfLink((request.params as { token: string }).token);
    if (!holder) throw notFound('conversation');
    if (holder.read_only && request.method !== 'GET' && request.method !== 'HEAD')
      throw forbidden('This link is for reading only', 'link_read_only');
    return holder;
  }
  if (route.permission === 'scim') return findDirectory(request, resolver, limits);
  const principal = await findCaller(route, request, resolver, limits);
  if (!principal && isByCookie(request, resolver))
    throw new AppError('unauthorized', 'The session is over or not valid; sign in again');
  if (!principal) throw unauthorized();
  // Known also to what records a refusal.
  request.principal = principal;
  const headers = await limits?.count(principal);
  if (headers) tell(headers);
  if (route.permission === 'session') {
    if (principal.actor.kind !== 'person') throw forbidden('This is for people who are signed in, not for API keys');
    if (principal.must_enrol && !route.before_second_factor) throw secondFactorRequired();
    return principal;
  }
  if (route.permission !== 'any') {
    const needed = [route.permission].flat();
    if (!needed.some((one) => allows(principal.permissions, one)))
      throw forbidden(lacksPermission(principal, needed.join(' or ')));
  }
  return principal.actor.kind === 'person' ? principal : inNamedWorkspace(principal, request, resolver);
}
