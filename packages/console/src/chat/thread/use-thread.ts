import { useSyncExternalStore } from 'react';
import type { Thread, ThreadSnapshot } from './thread-store.ts';

/** A value of the thread; the component is drawn again only when it changes. */
export const useThread = <V>(thread: Thread, select: (snapshot: ThreadSnapshot) => V): V =>
  useSyncExternalStore(thread.subscribe, () => select(thread.snapshot()));
