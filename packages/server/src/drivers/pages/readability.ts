import { runInWorker, WorkerFailed } from '../bounded-worker.ts';
import { type PageReader, type PageText, PageUnreadable } from './driver.ts';

/** Reads pages in a thread that can be ended, because a hostile page may take forever. */
export function makePageReader({ timeout_ms = 10_000, memory_mb = 256 } = {}): PageReader {
  return {
    async read(html, url, signal) {
      try {
        const file = new URL('./child.ts', import.meta.url);
        return await runInWorker<PageText>(file, { html, url }, { timeout_ms, memory_mb, signal });
      } catch (error) {
        if (!(error instanceof WorkerFailed)) throw error;
        throw new PageUnreadable(`the page could not be read: ${error.message}`);
      }
    },
  };
}
