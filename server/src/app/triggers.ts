import type { Bell } from '../db/bell.ts';
import type { Database } from '../db/database.ts';
import type { Web } from '../drivers/web/driver.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import type { ReferenceCheckers } from '../features/settings/references.ts';
import { makeByHand } from '../features/triggers/by-hand.ts';
import { makeDeliveries } from '../features/triggers/deliveries.ts';
import { makeEventTriggers } from '../features/triggers/events.ts';
import { makeFire } from '../features/triggers/firing.ts';
import { hookRoutes } from '../features/triggers/hook-routes.ts';
import { makeHooks } from '../features/triggers/hooks.ts';
import { triggerJobs } from '../features/triggers/jobs.ts';
import { agentTriggerRoutes, triggerRoutes, workflowTriggerRoutes } from '../features/triggers/routes.ts';
import { makeSchedules } from '../features/triggers/schedules.ts';
import { makeTriggers } from '../features/triggers/service.ts';
import type { TriggerTarget } from '../features/triggers/target.ts';
import { makeTargets } from '../features/triggers/targets.ts';
import { makeWebhookFanOut } from '../features/webhooks/fan-out.ts';
import { webhookJobs } from '../features/webhooks/jobs.ts';
import { webhookRoutes } from '../features/webhooks/routes.ts';
import { makeSending } from '../features/webhooks/sending.ts';
import { makeWebhooks } from '../features/webhooks/service.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { makeOutbox } from '../worker/outbox.ts';
import { startPump } from '../worker/pump.ts';

export interface TriggeringOptions {
  db: Database;
  bell: Bell;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  web: Web;
  references: ReferenceCheckers;
  /** Everything that a trigger can start. */
  targets: readonly TriggerTarget[];
}

/** What happens by itself: triggers that start agents and workflows, and webhooks that tell other programs. */
export function makeTriggering(options: TriggeringOptions) {
  const { db, bell, clock, log, keyring, web, references } = options;
  const targets = makeTargets(options.targets);
  const fire = makeFire({ clock, bell });
  const triggers = makeTriggers({ db, bell, clock, keyring, targets, references });
  const byHand = makeByHand({ db, bell, clock, triggers, fire });
  const hooks = makeHooks({ db, clock, keyring, fire, targets });
  const webhooks = makeWebhooks({ db, bell, clock, keyring });
  const hearers = [makeEventTriggers({ clock, log, fire, targets }), makeWebhookFanOut({ clock, bell })];
  const works = [
    makeSchedules({ db, clock, log, fire, targets }),
    makeDeliveries({ db, clock, log, targets }),
    makeOutbox(db, hearers),
    makeSending({ db, clock, log, keyring, web }),
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
    jobs: [...triggerJobs(db), ...webhookJobs(db)],

    /** From here on this node fires, starts and sends; the answer stops it. */
    start(): () => Promise<void> {
      const pumps = works.map((work) => startPump(work, { clock, bell, log }));
      return async () => {
        await Promise.all(pumps.map((pump) => pump.stop()));
      };
    },
  };
}
