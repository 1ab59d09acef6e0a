import { lazy } from 'react';

/** Resolves when the browser is online again. */
const untilOnline = () => new Promise<void>((done) => addEventListener('online', () => done(), { once: true }));

/**
 * A part of a page that is loaded when it is first shown. Without a network it waits for one: a failure would take the
 * whole page away, with what was typed in it. The network may be back when the failure is noticed, so it is tried again.
 */
export const lazyPart: typeof lazy = (load) =>
  lazy(() =>
    load().catch(async () => {
      if (!navigator.onLine) await untilOnline();
      return load();
    }),
  );
