import type { Database, Db } from '../db/database.ts';
import { makeSmtp } from '../drivers/mail/smtp.ts';
import { makeAllowList } from '../drivers/web/allow-list.ts';
import type { Web } from '../drivers/web/driver.ts';
import { makeAcceptRequest } from '../features/channels/accept-request.ts';
import { makeEmailChannel } from '../features/channels/email/email.ts';
import { channelRoutes } from '../features/channels/handlers.ts';
import { type Chooses, makeInbox, type ThreadWork } from '../features/channels/inbox.ts';
import { deliverQueue, makeChannelJobs, receiveQueue } from '../features/channels/jobs.ts';
import { makeOutbox } from '../features/channels/outbox.ts';
import { makeSlackChannel } from '../features/channels/slack/slack.ts';
import { makeTeamsChannel } from '../features/channels/teams/teams.ts';
import { makeWebChannel } from '../features/channels/web/web.ts';
import { makeWebhookChannel } from '../features/channels/webhook/webhook.ts';
import type { ConversationLinks } from '../features/conversations/ports.ts';
import type { Conversations } from '../features/conversations/service.ts';
import { makeDeploymentRecords } from '../features/deployments/deployment-records.ts';
import { deploymentRoutes } from '../features/deployments/handlers.ts';
import type { Deployments } from '../features/deployments/service.ts';
import type { Files } from '../features/files/service.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { enqueue } from '../worker/worker.ts';
import type { composeRuns } from './runs.ts';

/** Composes the channels: inbox, outbox, jobs, endpoints and the public chat page. */
export function composeChannels(deps: {
  db: Database;
  keyring: Keyring;
  web: Web;
  deployments: Deployments;
  conversations: Conversations;
  links: ConversationLinks;
  files: Files;
  running: Pick<ReturnType<typeof composeRuns>, 'runs' | 'transcript'>;
  /** Private hosts of SMTP servers that may be used. */
  smtp_allow: readonly string[];
  chooses: Chooses;
}) {
  const { db, keyring, web, deployments, conversations, links, files } = deps;
  const { runs, transcript } = deps.running;
  const channels = {
    webhook: makeWebhookChannel(web),
    slack: makeSlackChannel(web),
    teams: makeTeamsChannel(web),
    email: makeEmailChannel(makeSmtp(makeAllowList(deps.smtp_allow))),
  };
  const receiveLater = (tx: Db, work: ThreadWork, run_at?: Date) => {
    const key = receiveQueue(work);
    return enqueue(tx, jobs.receive, work, { key, queue: key, ...(run_at && { run_at }) });
  };
  const deliverLater = (tx: Db, workspace_id: string, conversation_id: string, run_at?: Date) => {
    const key = deliverQueue(conversation_id);
    return enqueue(tx, jobs.deliver, { workspace_id, conversation_id }, { key, queue: key, ...(run_at && { run_at }) });
  };
  const shared = { db, deployments, channels, transcript, deliverLater };
  const { chooses } = deps;
  const inbox = makeInbox({ ...shared, conversations, runs, chooses, receiveLater });
  const jobs = makeChannelJobs({ db, receive: inbox.receive, deliver: makeOutbox({ ...shared, files }) });
  const webChannel = makeWebChannel({ db, keyring, deployments, conversations, links });
  const accept = makeAcceptRequest({ deployments, inbox, webChannel });
  return {
    jobs,
    routes: [...deploymentRoutes(deployments), ...channelRoutes(accept)],
    records: makeDeploymentRecords({ db, deployments }),
    chatPages: { page: webChannel.page },
  };
}
