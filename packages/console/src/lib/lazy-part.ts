import { lazy } from 'react';

/** Resolves when the browser is online again. */
const untilOnline = () => new Promise<void>((done) => addEventListener('online', () => done(), { once: true }));

/**
 * A part of a page that is loaded when it is first shown. Without a network it waits for one: a failure would take the
 * whole page away, with what was typed in it.
 */
export const lazyPart: typeof lazy = (load) =>
  lazy(() =>
    load().catch(async (error: unknown) => {
      if (navigator.onLine) throw error;
      await untilOnline();
      return load();
    }),
  );
