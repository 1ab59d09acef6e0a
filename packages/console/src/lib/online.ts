import { useSyncExternalStore } from 'react';

const listen = (changed: () => void) => {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** Whether the browser has a network. */
export const isOnline = () => navigator.onLine;
export const useOnline = () => useSyncExternalStore(listen, isOnline);
