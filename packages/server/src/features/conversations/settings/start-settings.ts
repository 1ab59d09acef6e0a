import type { ConversationCreate } from '@atrium/contract/conversations/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { effectiveSettings, type Settings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ConversationBase } from '../../agents/ports.ts';
import type { SettingsAuthority } from '../../settings/ports.ts';
import { checkLocks, pickTightened, requirePermissions } from '../../settings/service.ts';

/** Settings from the creator of the conversation: a deployment or a run that asks an agent. */
export interface StartOrigin {
  /** The instructions of the deployment. Locks were checked when it was deployed. */
  instructions?(settings: Settings): string | null;
  /** Limits of the asking run: the new conversation is at least as strict. */
  bound?: SparseSettings | undefined;
}

/** A draft, or a version that is not published, is for those who edit the agent. */
function requireBase(scope: Scope, { is_published }: ConversationBase, { preview }: ConversationCreate): void {
  if (allows(scope.permissions, 'agents_edit')) return;
  requirePermissions(
    new Map([
      ['preview', preview ? ['agents_edit'] : []],
      ['assistant_version_id', is_published || preview ? [] : ['agents_edit']],
    ]),
  );
}

/** Decides which settings of its own a new conversation gets, and refuses what its caller may not set. */
export function makeStartSettings({ requireChange, requireValues }: SettingsAuthority) {
  return async (
    db: Db,
    scope: Scope,
    base: ConversationBase,
    input: ConversationCreate,
    origin: StartOrigin = {},
  ): Promise<SparseSettings | null> => {
    const sent = input.settings ?? null;
    requireBase(scope, base, input);
    checkLocks(scope, [base.published], [base.settings, sent]);
    if (sent) await requireChange(db, scope, [base.settings], [base.settings, sent]);
    if (input.variables) await requireValues(scope, effectiveSettings(base.settings, sent), input.variables);
    const bound = origin.bound && pickTightened(effectiveSettings(base.settings, sent), origin.bound);
    const own = bound ? { ...sent, ...bound } : sent;
    const deployment_custom_instructions = origin.instructions?.(effectiveSettings(base.settings, own)) ?? null;
    return deployment_custom_instructions === null ? own : { ...own, deployment_custom_instructions };
  };
}
