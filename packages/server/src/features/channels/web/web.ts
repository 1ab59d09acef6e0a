import { notFound } from '@atrium/contract/errors.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ConversationLinks } from '../../conversations/ports.ts';
import type { Conversations } from '../../conversations/service.ts';
import { type Deployments, type LiveDeployment, principalOf } from '../../deployments/service.ts';
import type { Keyring } from '../../keyring/service.ts';
import { forged, type SentBytes } from '../channel.ts';
import { channelInstructions } from '../channel-instructions.ts';
import { limitOf, requireRates } from '../rate-limits.ts';
import { type ChatPage, chatPage } from './chat-page.ts';

const opening = z.object({ token: z.string().max(200) });

function tokenIn(bytes: Buffer): string {
  try {
    return opening.parse(JSON.parse(bytes.toString())).token;
  } catch {
    throw forged();
  }
}

/**
 * The public chat page. Each visitor has a conversation behind a link that only their browser knows; the page reads
 * and continues it through the endpoints of shared conversations.
 */
export interface WebChannel {
  /** Begins a conversation for a visitor with the token of the page. */
  begin(scope: Scope, deployment_id: string, sent: SentBytes): Promise<Record<string, unknown>>;
  /** Describes the page at a token; not found when nothing is deployed there. */
  page(token: string): Promise<ChatPage>;
}

export function makeWebChannel(deps: {
  db: Database;
  keyring: Pick<Keyring, 'pseudonym'>;
  deployments: Deployments;
  conversations: Conversations;
  links: ConversationLinks;
}): WebChannel {
  const { db, keyring, deployments, conversations, links } = deps;

  /** Identifies a visitor by their network without storing it: the key of the pseudonym is not in the database. */
  const visitorAt = ({ group_id, id }: LiveDeployment, address: string) =>
    keyring.pseudonym(group_id, `visitors of ${id}`, clientNetworkOf(address));

  return {
    async begin(anonymous, id, { bytes }) {
      const token = tokenIn(bytes);
      const deployment = await deployments.byToken(token);
      if (deployment?.id !== id) throw forged();
      const { config } = deployment;
      const visitor = anonymous.address === undefined ? undefined : await visitorAt(deployment, anonymous.address);
      const [ofVisitor, ofAll] = ['max_visitor_conversations_per_hour', 'max_conversations_per_hour'] as const;
      const rates = [
        ...(visitor === undefined ? [] : [{ counted: `begun by ${visitor}`, most: limitOf('web', config, ofVisitor) }]),
        { counted: 'begun', most: limitOf('web', config, ofAll) },
      ];
      await requireRates(
        db,
        deployment,
        rates.map((rate) => ({ ...rate, seconds: 3600 })),
        'conversations were begun',
      );
      const channel_ref = visitor === undefined ? {} : { visitor };
      const origin = { deployment_id: deployment.id, channel_ref, instructions: channelInstructions(deployment) };
      const scope = { ...anonymous, ...principalOf(deployment) };
      const made = await conversations.create(scope, deployment.agent_id, { preview: false }, 'web', undefined, origin);
      const { row } = await links.share(scope, made.row.id);
      await deployments.noteMessage(db, deployment.group_id, deployment.id);
      return { token: row.public_access_token };
    },

    async page(token) {
      const deployment = await deployments.byToken(token);
      if (!deployment) throw notFound('page');
      return chatPage(deployment, token);
    },
  };
}

/** Refuses a visitor who says too much. One is known by their conversation; those of a page count together too. */
export const admitVisitor = (db: Database, deployment: LiveDeployment, conversation_id: string): Promise<void> => {
  const rates = [
    { counted: `said in ${conversation_id}`, name: 'max_visitor_messages_per_minute', seconds: 60 },
    { counted: 'said', name: 'max_messages_per_hour', seconds: 3600 },
  ] as const;
  const limits = rates.map(({ name, ...rate }) => ({ ...rate, most: limitOf('web', deployment.config, name) }));
  return requireRates(db, deployment, limits, 'messages were sent');
};
