import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';

export interface StopNotifier {
  notify(sandbox_id: string): Promise<void>;
  on(listener: (sandbox_id: string) => void): () => void;
}

/**
 * Ends the commands of a sandbox on all nodes, or, by the other topic, has them remove its files. A notification also comes back to its sender through the database, maybe
 * late, when newer commands run that it is not meant for. So a node handles its own notifications at once and ignores
 * them when they come back.
 */
export function makeStopNotifier({
  db,
  notifier,
  topic = 'sandboxes',
}: {
  db: Database;
  notifier: Notifier;
  topic?: 'sandboxes' | 'removed_sandboxes';
}): StopNotifier {
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
