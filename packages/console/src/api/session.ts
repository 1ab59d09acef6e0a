import type { Permission } from '@atrium/contract/permissions.ts';
import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import { AtriumError } from '@atrium/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { client, clientOf } from './client.ts';
import { queryClient } from './query-client.ts';
import { useSignedOut } from './signed-out.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<CurrentSession | null> => {
    try {
      return await client.sessions.get();
    } catch (error) {
      if (error instanceof AtriumError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The ways to sign in, and whether the server has its first administrator. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => client.sessions.options(),
  staleTime: 15_000,
});

/** Takes a session that has just begun. */
export function beginSession(session: CurrentSession): void {
  queryClient.setQueryData(sessionQuery.queryKey, session);
  useSignedOut.getState().clear();
}

/** The session is over, and with it goes all that was loaded. */
export function endSession(): void {
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** Who is signed in. Only below the pages that need a session. */
export function useSession(): CurrentSession {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session');
  return data;
}

export type Workspace = CurrentSession['workspaces'][number];
export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** The workspace of the address. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('There is no workspace here');
  return workspace;
}

/** The client of the workspace of the address. */
export const useClient = () => clientOf(useWorkspace().id);

/** Whether the person may do something in this workspace. The server decides again; this is for what is shown. */
export function useMay(): (...permissions: Permission[]) => boolean {
  const { permissions } = useWorkspace();
  const { person } = useSession();
  return (...asked) => person.tenant_admin || asked.some((permission) => permissions.includes(permission));
}
