import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Conversations } from '../conversations/service.ts';
import type { Deployments, LiveDeployment } from '../deployments/service.ts';
import { admitVisitor } from './web/web.ts';

/** The accounts that the files of a guest or a visitor are charged to. */
export interface GuestAccounts {
  deployment_id: string | null;
  /** The pseudonym of the visitor, or else the conversation. */
  visitor: string | null;
}

/** Undefined for a caller of the workspace itself. */
export async function findGuestAccounts(
  conversations: Pick<Conversations, 'find'>,
  scope: Scope,
): Promise<GuestAccounts | undefined> {
  const { actor } = scope;
  // A writer in Slack or by mail is identified by the deployment alone.
  if (actor.kind === 'channel') return { deployment_id: actor.id, visitor: null };
  if (actor.kind !== 'link') return undefined;
  const { deployment_id, channel_ref } = await conversations.find(scope, actor.id);
  const visitor = channel_ref?.['visitor'];
  return { deployment_id, visitor: typeof visitor === 'string' ? visitor : actor.id };
}

/** The rules for holders of a link: those of the page that the conversation began on; a shared conversation has none. */
export interface GuestRules {
  takesFiles(scope: Scope): Promise<boolean>;
  /** Throws when the guest has sent too many messages lately. */
  admit(scope: Scope): Promise<void>;
}

export function makeGuestRules(deps: {
  db: Database;
  deployments: Pick<Deployments, 'live'>;
  conversations: Pick<Conversations, 'find'>;
}): GuestRules {
  const { db, deployments, conversations } = deps;
  async function findPage(scope: Scope): Promise<LiveDeployment | undefined> {
    const { deployment_id } = await conversations.find(scope, scope.actor.id);
    return deployment_id === null ? undefined : deployments.live(deployment_id);
  }
  return {
    takesFiles: async (scope) => (await findPage(scope))?.config.allow_files !== false,
    async admit(scope) {
      const page = await findPage(scope);
      if (page) await admitVisitor(db, page, scope.actor.id);
    },
  };
}
