import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMay, useSession, WorkspaceContext } from '../api/session.ts';
import { t } from '../text/en.ts';
import { Drawer } from '../ui/drawer.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { permissionsFor } from './entries.tsx';
import { NewVersionBar } from './new-version-bar.tsx';
import { NotFound } from './not-found.tsx';
import { NotAllowed } from './page-failure.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { ShellOverlays } from './shell-overlays.tsx';
import { Sidebar } from './sidebar.tsx';
import { useLiveEvents } from './use-live-events.ts';

/** Everything around a page of a workspace: navigation, live events, palette. */
export function WorkspaceFrame() {
  const { w } = useParams({ from: '/signed-in/w/$w' });
  const workspace = useSession().workspaces.find(({ id }) => id === w);
  useEffect(() => {
    try {
      if (workspace) localStorage.setItem('atrium.workspace', workspace.id);
    } catch {
      // The browser keeps nothing; the next visit begins in the usual workspace.
    }
  }, [workspace]);
  if (!workspace) return <NotFound />;
  return (
    <WorkspaceContext value={workspace}>
      <Frame key={workspace.id} />
    </WorkspaceContext>
  );
}

/** The page of the address with the navigation of a workspace around it. */
export function Frame() {
  const [menuOpen, setMenuOpen] = useState(false);
  const connection = useLiveEvents();
  const { pathname } = useLocation();
  const may = useMay();
  const needed = permissionsFor(pathname.split('/')[3] ?? '');
  const allowed = needed.length === 0 || may(...needed);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-2 bg-surface px-3 py-2 shadow-2 focus:translate-y-0"
      >
        {t.shell.toContent}
      </a>
      <div className="flex h-dvh max-narrow:flex-col">
        <div className="flex max-narrow:hidden">
          <Sidebar />
        </div>
        <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
          <NewVersionBar />
          <ConnectionBar connection={connection} />
          {allowed ? <Outlet /> : <NotAllowed help={t.shell.notAllowed.needs(needed)} />}
        </main>
        <PhoneBar onMore={() => setMenuOpen(true)} />
      </div>
      <Drawer open={menuOpen} onClose={() => setMenuOpen(false)} title={t.shell.product} side="left">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a link inside closes the drawer; the links themselves take the keys. */}
        <div onClick={() => setMenuOpen(false)}>
          <Sidebar inDrawer />
        </div>
      </Drawer>
      <ShellOverlays />
    </>
  );
}
