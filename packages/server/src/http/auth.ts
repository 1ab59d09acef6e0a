import { forbidden, InvalidRequest, notFound, unauthorized } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Route } from '../lib/route.ts';
import type { Principal } from '../lib/scope.ts';
import type { RequestLimits } from './request-limits.ts';

/** The one resolver from a credential to who it is; undefined for any credential that is not valid now. */
export interface PrincipalResolver {
  principalOf(credential: string): Promise<Principal | undefined>;
  /** The same for the secret of a shared link, which is good for that one thing only. */
  principalOfLink(token: string): Promise<Principal | undefined>;
  /** Whether a workspace is one of this tenant's. */
  hasWorkspace(tenant_id: string, workspace_id: string): Promise<boolean>;
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

/** A system key may act in any workspace of its tenant by naming it; for other keys only their own exists. */
async function inNamedWorkspace(principal: Principal, request: FastifyRequest, resolver: PrincipalResolver) {
  if (request.headers['x-workspace-id'] === undefined) return principal;
  const raw = { 'x-workspace-id': request.headers['x-workspace-id'] };
  const parsed = workspaceHeader.safeParse(raw);
  if (!parsed.success)
    throw new InvalidRequest(toValidationErrors(workspaceHeader, parsed.error.issues, raw, 'header'));
  const workspace_id = parsed.data['x-workspace-id'];
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

/**
 * Authenticates the caller and checks its permission before the body is read, so that unknown callers cost no parsing.
 * With `limits` it counts as a request; a stream that checks its permission again does not.
 */
export async function authorize(
  route: Pick<Route, 'permission'>,
  request: FastifyRequest,
  resolver: PrincipalResolver,
  limits?: RequestLimits,
): Promise<Principal> {
  if (route.permission === 'open') return nobody;
  if (route.permission === 'link') {
    const holder = await resolver.principalOfLink((request.params as { token: string }).token);
    if (!holder) throw notFound('conversation');
    return holder;
  }
  const credential = credentialOf(request);
  const principal = credential ? await identify(credential, request, resolver, limits) : undefined;
  if (!principal) throw unauthorized();
  limits?.count(principal);
  if (route.permission !== 'any') {
    const needed = [route.permission].flat();
    if (!needed.some((one) => allows(principal.permissions, one)))
      throw forbidden(`This key lacks the permission ${needed.join(' or ')}`);
  }
  return inNamedWorkspace(principal, request, resolver);
}
