import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';

export interface StopNotifier {
  notify(sandbox_id: string): Promise<void>;
  on(listener: (sandbox_id: string) => void): () => void;
}

const topic = 'sandboxes';

/**
 * Ends what runs in a sandbox, on whichever node. A bell also comes back to the node that rang it, through the database
 * and maybe late: what was begun there since then is not meant. So a node hears its own ones at once and never again.
 */
export function makeStopNotifier({ db, notifier }: { db: Database; notifier: Notifier }): StopNotifier {
  const node = newId();
  return {
    async notify(sandbox_id: string): Promise<void> {
      await notifier.notify(db, topic, `${sandbox_id} ${node}`);
      notifier.notifyLocal(topic, sandbox_id);
    },

    on: (listener: (sandbox_id: string) => void) =>
      notifier.on(topic, (note) => {
        const [sandbox_id = '', rung_by] = note.split(' ');
        if (rung_by !== node) listener(sandbox_id);
      }),
  };
}
