import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 1280px)');
const listen = (changed: () => void) => {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
};

/** Whether there is room for three panes. */
export const useIsWide = (): boolean => useSyncExternalStore(listen, () => wide.matches);
