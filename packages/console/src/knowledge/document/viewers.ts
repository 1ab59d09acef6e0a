import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession, useWorkspace } from '../../api/session.ts';

export interface Viewer {
  kind: 'role' | 'user_group' | 'person';
  id: string;
  name: string;
}

/** Who can be named in rights: roles, groups of people and people of this workspace, as far as the person may list them. */
export function useViewers(): { viewers: readonly Viewer[]; canList: boolean } {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { person } = useSession();
  const canList = useMay()('workspace_admin');
  const { data = [] } = useQuery({
    queryKey: [w, 'viewers', person.tenant_admin],
    queryFn: async (): Promise<Viewer[]> => {
      const [members, groups, roles] = await Promise.all([
        client.members.list(w),
        client.userGroups.list({ size: 100 }),
        // Administrators of the workspace know the roles that its people have.
        person.tenant_admin ? client.roles.list() : [],
      ]);
      const known = new Map(members.map(({ role_id, role_name }) => [role_id, role_name]));
      for (const { id, name, scope } of roles) if (scope === 'workspace') known.set(id, name);
      return [
        ...[...known].map(([id, name]): Viewer => ({ kind: 'role', id, name })),
        ...groups.items.map(({ id, name }): Viewer => ({ kind: 'user_group', id, name })),
        ...members.map(
          ({ person_id, name, email }): Viewer => ({ kind: 'person', id: person_id, name: name || email }),
        ),
      ];
    },
    enabled: canList,
    staleTime: 60_000,
  });
  return { viewers: data, canList };
}
