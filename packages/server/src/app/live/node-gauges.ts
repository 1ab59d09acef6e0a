import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { DatabaseReadiness } from '../../db/state/database-readiness.ts';
import type { Slots } from '../../execution/slots.ts';
import type { MetricsOptions } from '../../http/endpoints/metrics.ts';
import { readQueueState } from '../../worker/read-queue-state.ts';

/** What dashboards and alerts need of a node besides its requests. */
export const nodeGauges = (deps: {
  db: Database;
  notifier: Notifier;
  runs: Pick<Slots, 'running'>;
  readDatabaseReadiness(): Promise<DatabaseReadiness>;
}): MetricsOptions['gauges'] => [
  {
    name: 'atrium_database_ready',
    help: '1 while the database answers and takes writes',
    aggregator: 'min',
    read: async () => Number((await deps.readDatabaseReadiness()) === 'ok'),
  },
  {
    name: 'atrium_notifications_listening',
    help: '1 while this node hears notifications of others',
    aggregator: 'min',
    read: () => Number(deps.notifier.isListening),
  },
  { name: 'atrium_runs_running', help: 'Runs that this node executes', read: () => deps.runs.running },
  {
    name: 'atrium_jobs',
    help: 'Jobs of the queue that all nodes share',
    label: 'state',
    aggregator: 'first',
    async read() {
      const { waiting, running, failed } = await readQueueState(deps.db);
      return { waiting, running, failed };
    },
  },
  {
    name: 'atrium_jobs_oldest_waiting_seconds',
    help: 'How long the oldest due job of that queue has waited',
    aggregator: 'first',
    read: async () => (await readQueueState(deps.db)).oldest_waiting_seconds,
  },
];
