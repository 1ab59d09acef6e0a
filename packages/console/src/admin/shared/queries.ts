import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../api/client.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import type { Option } from '../../ui/select.tsx';

/** The members of a workspace, by default of that of the address. */
export function useMembers(workspaceId?: string) {
  const client = useClient();
  const { id } = useWorkspace();
  const of = workspaceId ?? id;
  return useQuery({ queryKey: [id, 'members', of], queryFn: () => client.members.list(of), enabled: of !== '' });
}

/** All roles of the organization; only its administrators can list them. */
export function useRoles() {
  const client = useClient();
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, 'roles'],
    queryFn: () => client.roles.list(),
    enabled: useMay()('org:admin'),
  });
}

/**
 * The roles that can be given in a workspace, by default that of the address. Its administrators read them from the list of
 * whom things can be shared with; those of the organization need not be members of it.
 */
export function useRoleOptions(workspaceId?: string): Option[] {
  const { id } = useWorkspace();
  const of = workspaceId ?? id;
  const { data: roles } = useRoles();
  const isOrganization = useMay()('org:admin');
  const { data: given } = useQuery({
    queryKey: [id, 'roles', 'given-in', of],
    queryFn: () => clientOf(of).audience.list({ kind: 'role', size: 100 }),
    enabled: !isOrganization && of !== '',
  });
  const options = isOrganization
    ? roles?.filter(({ scope, group_id }) => scope === 'workspace' && (group_id === null || group_id === of))
    : given?.items;
  return (options ?? []).map(({ id: value, name: label }) => ({ value, label }));
}

/** The workspaces that the person may see. */
export function useWorkspaces() {
  const client = useClient();
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, 'workspaces'],
    queryFn: () => client.workspaces.list(),
    enabled: useMay()('workspace_read', 'workspace_write'),
  });
}

/** What each permission means, the same for everybody. */
export function usePermissions() {
  const client = useClient();
  return useQuery({
    queryKey: ['permissions'],
    queryFn: () => client.permissions.list(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
