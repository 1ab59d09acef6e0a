import { Outlet } from '@tanstack/react-router';
import { useSession, WorkspaceContext } from '../api/session.ts';
import { rememberedWorkspace } from './remembered-workspace.ts';
import { Frame } from './workspace-frame.tsx';

/** Help stands in the workspace that was open last; without one it stands alone. */
export function HelpFrame() {
  const { workspaces } = useSession();
  const id = rememberedWorkspace(workspaces.map((workspace) => workspace.id));
  const workspace = workspaces.find((one) => one.id === id);
  if (!workspace)
    return (
      <main id="content" className="flex h-dvh flex-col">
        <Outlet />
      </main>
    );
  return (
    <WorkspaceContext value={workspace}>
      <Frame key={workspace.id} />
    </WorkspaceContext>
  );
}
