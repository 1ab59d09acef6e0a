import { lazy, Suspense } from 'react';
import type { DrawerProps } from './drawer-root.tsx';

const DrawerRoot = lazy(() => import('./drawer-root.tsx').then(({ DrawerRoot }) => ({ default: DrawerRoot })));

/** A panel from the side of the window, or from below on phones. */
export function Drawer(props: DrawerProps) {
  return (
    props.open && (
      <Suspense>
        <DrawerRoot {...props} />
      </Suspense>
    )
  );
}
