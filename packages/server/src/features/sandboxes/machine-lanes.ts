import type { Locks } from '../../lib/machine/locks.ts';
import type { Lanes } from './command-slots.ts';

/** Lanes of one of several processes: a sandbox runs one command at a time in all of them together. */
export function lockLanes(lanes: Lanes, locks: Locks): Lanes {
  return {
    idle: lanes.idle,
    async take(workspace_id, sandbox_id, wait_ms, signal) {
      const until = Date.now() + wait_ms;
      const lane = await lanes.take(workspace_id, sandbox_id, wait_ms, signal);
      if (!lane) return undefined;
      const key = `sandbox ${sandbox_id}`;
      const taken = locks.take(key, Math.max(0, until - Date.now()));
      const aborted = Promise.withResolvers<false>();
      const abort = () => aborted.resolve(false);
      signal.addEventListener('abort', abort, { once: true });
      try {
        if ((await Promise.race([taken, aborted.promise])) && !signal.aborted) {
          let released = false;
          const release = () => {
            if (released) return;
            released = true;
            locks.release(key);
            lane.release();
          };
          return { release };
        }
        // It may still be given to us.
        void taken.then((isMine) => isMine && locks.release(key)).catch(() => {});
        lane.release();
        return undefined;
      } catch (error) {
        lane.release();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
