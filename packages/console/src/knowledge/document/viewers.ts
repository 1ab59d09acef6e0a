import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';

export interface Viewer {
  kind: 'role' | 'user_group' | 'person';
  id: string;
  name: string;
}

/** Who can be named in rights: roles, groups of people and people of this workspace, as far as the person may list them. */
export function useViewers(): { viewers: readonly Viewer[]; canList: boolean } {
  const client = useClient();
  const { id: w } = useWorkspace();
  const canList = useMay()('workspace_admin');
  const { data = [] } = useQuery({
    queryKey: [w, 'viewers'],
    queryFn: async (): Promise<Viewer[]> => {
      const [members, groups, roles] = await Promise.all([
        client.members.list(w),
        client.userGroups.list({ size: 100 }),
        client.audience.list({ kind: 'role', size: 100 }),
      ]);
      return [
        ...roles.items.map(({ id, name }): Viewer => ({ kind: 'role', id, name })),
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
