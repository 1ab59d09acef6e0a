import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useWorkspace } from '../api/session.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { t } from '../text/en.ts';
import { adminEntry, buildEntries, mainEntries, observeEntries } from './entries.tsx';
import { keepRecent } from './palette/recent.ts';
import { useShell } from './shell-store.ts';

const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazyPart(() => loadPalette().then((file) => ({ default: file.Palette })));
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx').then((file) => ({ default: file.ShortcutSheet })));
const NotificationPanel = lazyPart(() =>
  import('./notices/notification-panel.tsx').then((file) => ({ default: file.NotificationPanel })),
);

const entries = [...mainEntries, ...buildEntries, ...observeEntries, adminEntry];

/** What opens over every page, and the keys that work everywhere. */
export function ShellOverlays() {
  const { open, fold, overlay, close } = useShell();
  const { id } = useWorkspace();
  const router = useRouter();
  useShortcuts([
    {
      ...{ keys: 'mod+k', label: t.shell.searchOrJump, everywhere: true },
      onPress: () => (overlay === 'palette' ? close() : open('palette')),
    },
    { keys: '?', label: t.shell.help, everywhere: true, onPress: () => open('shortcuts') },
    { keys: 'mod+\\', label: t.shell.foldSidebar, everywhere: true, onPress: fold },
    {
      ...{ keys: 'mod+shift+o', label: t.shell.palette.newChat, everywhere: true },
      onPress: () => void router.navigate({ to: '/w/$w/chat', params: { w: id } }),
    },
    ...entries.map(({ path, label, key }) => ({
      ...{ keys: `g ${key}`, label, everywhere: true },
      onPress: () => void router.navigate({ to: `/w/${id}/${path}` }),
    })),
  ]);
  useRecentPages(id);
  useEffect(() => {
    // So that the first ⌘K shows it at once.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 2000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense>
      {overlay === 'palette' && <Palette />}
      {overlay === 'shortcuts' && <ShortcutSheet />}
      {overlay === 'notifications' && <NotificationPanel />}
    </Suspense>
  );
}

/** Remembers what was opened, by the name that the page gave itself. */
function useRecentPages(workspaceId: string): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { href, pathname } = router.state.location;
        const title = document.title.replace(/ · Atrium$/, '');
        // Lists stand in the palette already; what was opened in them is worth remembering.
        if (pathname.split('/').length > 4 && pathname.startsWith(`/w/${workspaceId}/`) && title)
          keepRecent(workspaceId, { href, title });
      }, 1500);
    };
    note();
    const leave = router.subscribe('onResolved', note);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [router, workspaceId]);
}
