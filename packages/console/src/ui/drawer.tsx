import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import type { DrawerProps } from './drawer-root.tsx';

const DrawerRoot = lazyPart(() => import('./drawer-root.tsx').then(({ DrawerRoot }) => ({ default: DrawerRoot })));

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
