import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { notFound } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../db/database.ts';
import { makeSmtp } from '../drivers/mail/smtp.ts';
import type { Web } from '../drivers/web/driver.ts';
import type { Agents } from '../features/agents/service.ts';
import { makeEmailChannel } from '../features/channels/email/email.ts';
import { channelRoutes } from '../features/channels/handlers.ts';
import { type Chooses, makeInbox, type ThreadWork } from '../features/channels/inbox.ts';
import { makeChannelJobs } from '../features/channels/jobs.ts';
import { makeOutbox } from '../features/channels/outbox.ts';
import { makeSlackChannel } from '../features/channels/slack/slack.ts';
import { makeTeamsChannel } from '../features/channels/teams/teams.ts';
import { chatAsset } from '../features/channels/web/chat-page.ts';
import { admitVisitor, makeWebChannel } from '../features/channels/web/web.ts';
import { makeWebhookChannel } from '../features/channels/webhook/webhook.ts';
import type { ConversationLinks } from '../features/conversations/ports.ts';
import type { Conversations } from '../features/conversations/service.ts';
import { deploymentRoutes } from '../features/deployments/handlers.ts';
import { makeDeployments } from '../features/deployments/service.ts';
import type { Guest } from '../features/files/quotas.ts';
import type { Files } from '../features/files/service.ts';
import type { Keyring } from '../features/keyring/service.ts';
import type { Guests } from '../features/runs/public-handlers.ts';
import type { RawBody } from '../lib/route.ts';
import type { Scope } from '../lib/scope.ts';
import { enqueue } from '../worker/worker.ts';
import type { composeRuns } from './runs.ts';

const isId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** Deployments, and whom what comes through them acts for. */
export function composeDeployments(deps: { db: Database; keyring: Keyring; agents: Agents }) {
  const deployments = makeDeployments(deps);
  const live = async (id: string) => (isId(id) ? deployments.live(id) : undefined);
  return {
    deployments,
    live,
    async deployed(id: string) {
      const deployment = await live(id);
      return deployment && new Set(deployment.permissions);
    },
  };
}

/** The accounts that the files of a guest or a visitor are charged to. */
export async function guestOf(conversations: Pick<Conversations, 'find'>, scope: Scope): Promise<Guest | undefined> {
  const { actor } = scope;
  // Who writes through Slack or by mail is known by the deployment alone.
  if (actor.kind === 'channel') return { deployment_id: actor.id, visitor: null };
  if (actor.kind !== 'link') return undefined;
  const { deployment_id, channel_ref } = await conversations.find(scope, actor.id);
  const visitor = channel_ref?.['visitor'];
  return { deployment_id, visitor: typeof visitor === 'string' ? visitor : actor.id };
}

/** Those who hold a link. A conversation that is shared by itself asks nothing more of them; one of a page, what that page does. */
export function makeGuests(deps: {
  db: Database;
  deploying: ReturnType<typeof composeDeployments>;
  conversations: Conversations;
}): Guests {
  const { db, deploying, conversations } = deps;
  const pageOf = async (scope: Scope) => {
    const { deployment_id } = await conversations.find(scope, scope.actor.id);
    return deployment_id === null ? undefined : deploying.live(deployment_id);
  };
  return {
    takesFiles: async (scope) => (await pageOf(scope))?.config.allow_files !== false,
    async admit(scope) {
      const page = await pageOf(scope);
      if (page) await admitVisitor(db, page, scope.actor.id);
    },
  };
}

/** The channels themselves: what comes in, what goes out, and the public page. */
export function composeChannels(deps: {
  db: Database;
  keyring: Keyring;
  web: Web;
  deploying: ReturnType<typeof composeDeployments>;
  conversations: Conversations;
  links: ConversationLinks;
  files: Files;
  running: Pick<ReturnType<typeof composeRuns>, 'runs' | 'transcript'>;
  /** Private hosts that mail may be handed to. */
  smtp_allow: readonly string[];
  chooses: Chooses;
}) {
  const { db, keyring, web, conversations, links, files } = deps;
  const { deployments } = deps.deploying;
  const { runs, transcript } = deps.running;
  const channels = {
    webhook: makeWebhookChannel(web),
    slack: makeSlackChannel(web),
    teams: makeTeamsChannel(web),
    email: makeEmailChannel(makeSmtp({ allow: deps.smtp_allow })),
  };
  const receiveLater = (tx: Db, work: ThreadWork, run_at?: Date) => {
    const key = `channel-in ${work.deployment_id} ${work.thread}`;
    return enqueue(tx, jobs.receive, work, { key, queue: key, ...(run_at && { run_at }) });
  };
  const deliverLater = (tx: Db, workspace_id: string, conversation_id: string, run_at?: Date) => {
    const key = `channel-out ${conversation_id}`;
    return enqueue(tx, jobs.deliver, { workspace_id, conversation_id }, { key, queue: key, ...(run_at && { run_at }) });
  };
  const shared = { db, deployments, channels, transcript, deliverLater };
  const { chooses } = deps;
  const inbox = makeInbox({ ...shared, conversations, runs, chooses, receiveLater });
  const jobs = makeChannelJobs({ db, receive: inbox.receive, deliver: makeOutbox({ ...shared, files }) });
  const page = makeWebChannel({ db, keyring, deployments, conversations, links });
  async function accept(scope: Scope, id: string, channel: ChannelName, sent: RawBody) {
    const deployment = await deps.deploying.live(id);
    if (deployment?.channel !== channel) throw notFound('deployment');
    return channel === 'web' ? page.begin(scope, id, sent) : inbox.accept(deployment, sent);
  }
  return {
    jobs,
    routes: [...deploymentRoutes(deployments), ...channelRoutes(accept)],
    chatPages: { page: page.page, asset: chatAsset },
  };
}
