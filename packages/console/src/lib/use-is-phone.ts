import { useSyncExternalStore } from 'react';

const phone = matchMedia('(max-width: 599px)');
const listen = (changed: () => void) => {
  phone.addEventListener('change', changed);
  return () => phone.removeEventListener('change', changed);
};

/** Whether the window is as narrow as a phone's: too small to build or to edit cells in. */
export const useIsPhone = (): boolean => useSyncExternalStore(listen, () => phone.matches);
