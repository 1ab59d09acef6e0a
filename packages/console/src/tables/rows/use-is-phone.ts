import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 599px)');
const listen = (changed: () => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

/** Whether the window is too narrow to edit cells in it. */
export const useIsPhone = (): boolean => useSyncExternalStore(listen, () => narrow.matches);
