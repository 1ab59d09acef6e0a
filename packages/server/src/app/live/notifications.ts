import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { makeGuardedWeb } from '../../drivers/web/guarded-fetch.ts';
import { readActors } from '../../features/actors/service.ts';
import { notificationRoutes } from '../../features/notifications/handlers.ts';
import { notificationJobs } from '../../features/notifications/jobs.ts';
import { makeNotifyPeople } from '../../features/notifications/notify-people.ts';
import type { PeopleLookup, SecretBoxes } from '../../features/notifications/ports.ts';
import { makePushKeys } from '../../features/notifications/push/push-keys.ts';
import { makePushJob } from '../../features/notifications/push/send-push.ts';
import { makePushSubscriptions } from '../../features/notifications/push/subscriptions.ts';
import { makeNotifications } from '../../features/notifications/service.ts';
import { findHolders, type Mailer } from '../../features/people/service.ts';
import { readPreferencesOf } from '../../features/preferences/service.ts';
import { enqueue } from '../../worker/worker.ts';

/** Whom push services write to: they take the address of a page with TLS, or one of mail. */
const contactOf = ({ public_url, mail }: Pick<Config, 'public_url' | 'mail'>) =>
  mail ? `mailto:${mail.from.address}` : public_url.startsWith('https:') ? public_url : 'mailto:root@localhost';

/** Composes the notifications of people. */
export function composeNotifications(deps: {
  db: Database;
  config: Config;
  secrets: SecretBoxes;
  mailer: Mailer | undefined;
}) {
  const { db, config, mailer } = deps;
  const people: PeopleLookup = {
    holders: findHolders,
    preferences: readPreferencesOf,
    nameActors: (scope, ids) => readActors(db, scope, ids),
  };
  const web = makeGuardedWeb({ allow: config.web_allow });
  const keys = makePushKeys({ ...deps, contact: contactOf(config) });
  const pushJob = makePushJob({ ...deps, web, keys });
  return {
    routes: notificationRoutes(makeNotifications({ db, people }), makePushSubscriptions({ ...deps, keys })),
    jobs: [...notificationJobs(db, mailer), pushJob],
    notify: makeNotifyPeople({ people, queue: { enqueue }, pushJob }),
  };
}
