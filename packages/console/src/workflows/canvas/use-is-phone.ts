import { useSyncExternalStore } from 'react';

const phone = matchMedia('(max-width: 599px)');
const listen = (changed: () => void) => {
  phone.addEventListener('change', changed);
  return () => phone.removeEventListener('change', changed);
};

/** Whether the window is too small to build in. */
export const useIsPhone = (): boolean => useSyncExternalStore(listen, () => phone.matches);
