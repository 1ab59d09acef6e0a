import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { isLiveOnly, makeEventLog } from '../../features/events/log-events.ts';
import type { Keyring } from '../../features/keyring/service.ts';
import type { ReferenceCheckers } from '../../features/settings/ports.ts';
import { makeDeliveries, makeFireTrigger, makeTargets } from '../../features/triggers/deliver/deliveries.ts';
import { makeEventTriggers } from '../../features/triggers/fire/fire-event-triggers.ts';
import { makeSchedules } from '../../features/triggers/fire/fire-schedules.ts';
import { makeManualTriggers } from '../../features/triggers/fire/manual-triggers.ts';
import { agentTriggerRoutes, triggerRoutes, workflowTriggerRoutes } from '../../features/triggers/handlers.ts';
import { hookRoutes } from '../../features/triggers/hooks/hook-handlers.ts';
import { makeHooks } from '../../features/triggers/hooks/hooks.ts';
import { triggerJobs } from '../../features/triggers/jobs.ts';
import type { TriggerTarget } from '../../features/triggers/ports.ts';
import { makeTriggers } from '../../features/triggers/service.ts';
import { makeTriggerRecords } from '../../features/triggers/trigger-records.ts';
import type { TypedAddresses } from '../../features/typed-addresses/service.ts';
import { makeWebhookFanOut } from '../../features/webhooks/fan-out.ts';
import { webhookRoutes } from '../../features/webhooks/handlers.ts';
import { webhookJobs } from '../../features/webhooks/jobs.ts';
import { makeDeliverySender } from '../../features/webhooks/send-deliveries.ts';
import { makeWebhooks } from '../../features/webhooks/service.ts';
import { makeWebhookRecords } from '../../features/webhooks/webhook-records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { makeOutboxDispatcher, type OutboxListener } from '../../worker/dispatch-outbox.ts';
import { startDueWorkLoop } from '../../worker/due-work-loop.ts';

export interface TriggersOptions {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  web: Web;
  references: ReferenceCheckers;
  typedAddresses: TypedAddresses;
  /** Notifies people of events. */
  notify: OutboxListener;
  /** The kinds of records that a trigger can start. */
  targets: readonly TriggerTarget[];
}

/** Composes triggers, which start agents and workflows, and webhooks, which notify other programs. */
export function composeTriggers(options: TriggersOptions) {
  const { db, notifier, clock, log, keyring, web, references, typedAddresses } = options;
  const targets = makeTargets(options.targets);
  const fire = makeFireTrigger({ clock, notifier });
  const triggers = makeTriggers({ db, notifier, clock, keyring, targets, references });
  const byHand = makeManualTriggers({ db, notifier, clock, triggers, fire });
  const hooks = makeHooks({ db, clock, keyring, fire, targets });
  const webhooks = makeWebhooks({ db, notifier, clock, keyring, typedAddresses });
  const subscribers = [makeEventTriggers({ clock, log, fire, targets }), makeWebhookFanOut({ clock, notifier })];
  const unlessLive =
    (listen: OutboxListener): OutboxListener =>
    async (tx, event, signal) => {
      if (!isLiveOnly(event)) await listen(tx, event, signal);
    };
  const hearers = [...subscribers.map(unlessLive), options.notify, makeEventLog({ notifier })];
  const works = [
    makeSchedules({ db, clock, log, fire, targets }),
    makeDeliveries({ db, clock, log, targets }),
    makeOutboxDispatcher(db, hearers),
    makeDeliverySender({ db, clock, log, keyring, web }),
  ];
  return {
    routes: [
      ...workflowTriggerRoutes(triggers),
      ...agentTriggerRoutes(triggers),
      ...triggerRoutes(triggers, byHand),
      ...hookRoutes(hooks),
      ...webhookRoutes(webhooks),
    ],
    chooses: triggers.chooses,
    records: [makeTriggerRecords({ db, triggers }), makeWebhookRecords({ db, keyring })],
    jobs: [...triggerJobs(db), ...webhookJobs(db)],

    /** Starts firing triggers, starting runs and sending webhooks on this node; the returned function stops that. */
    start(): () => Promise<void> {
      const pumps = works.map((work) => startDueWorkLoop(work, { clock, notifier, log }));
      return async () => {
        await Promise.all(pumps.map((pump) => pump.stop()));
      };
    },
  };
}
