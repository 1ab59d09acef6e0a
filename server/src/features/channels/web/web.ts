import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ConversationLinks } from '../../conversations/links.ts';
import type { Conversations } from '../../conversations/service.ts';
import { type Deployments, type LiveDeployment, principalOf } from '../../deployments/service.ts';
import { forged, type SentBytes } from '../channel.ts';
import { channelInstructions } from '../instructions.ts';
import { begunThisHour } from '../store.ts';
import { type ChatPage, chatPage } from './page.ts';

const opening = z.object({ token: z.string().max(200) });

function tokenIn(bytes: Buffer): string {
  try {
    return opening.parse(JSON.parse(bytes.toString())).token;
  } catch {
    throw forged();
  }
}

/**
 * The public page. Each visitor has a conversation of their own, behind a link that only their browser knows: it is
 * read, spoken to and watched through the doors of shared conversations.
 */
export function makeWebChannel(deps: {
  db: Database;
  deployments: Deployments;
  conversations: Conversations;
  links: ConversationLinks;
}) {
  const { db, deployments, conversations, links } = deps;

  async function checkRate({ id, group_id, agent_id, config }: LiveDeployment): Promise<void> {
    const most = config.max_conversations_per_hour;
    if (typeof most !== 'number' || (await begunThisHour(db, group_id, agent_id, id)) < most) return;
    throw new AppError('too_many', 'Too many conversations were begun here; try again later', {
      code: 'rate_limited',
      headers: { 'retry-after': '600' },
    });
  }

  return {
    /** A conversation for a visitor who has the page's token. */
    async begin(nobody: Scope, id: string, { bytes }: SentBytes): Promise<Record<string, unknown>> {
      const deployment = await deployments.byToken(tokenIn(bytes));
      if (deployment?.id !== id) throw forged();
      await checkRate(deployment);
      const origin = { deployment_id: deployment.id, channel_ref: {}, instructions: channelInstructions(deployment) };
      const scope = { ...nobody, ...principalOf(deployment) };
      const made = await conversations.create(scope, deployment.agent_id, { preview: false }, 'web', undefined, origin);
      const { row } = await links.share(scope, made.row.id);
      await deployments.noteMessage(db, deployment.group_id, deployment.id);
      return { token: row.public_access_token };
    },

    /** The page at an address; not found when nothing is deployed there. */
    async page(token: string): Promise<ChatPage> {
      const deployment = await deployments.byToken(token);
      if (!deployment) throw notFound('page');
      return chatPage(deployment, token);
    },
  };
}
