import { allows } from '@atrium/contract/permissions.ts';
import { overlay, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SettingsAuthority } from '../../settings/ports.ts';
import { checkLocks, dropLoosenedSettings, lockedKeysOf, requirePermissions } from '../../settings/service.ts';
import type { layersOf } from './settings-layers.ts';

interface Change {
  /** The version that the conversation moves to. */
  version: { settings: SparseSettings; is_published: boolean } | undefined;
  sent: SparseSettings | undefined;
}

/** Decides what becomes of a conversation's own settings when it is patched, and refuses what its caller may not change. */
export function makeChangeSettings({ requireChange }: Pick<SettingsAuthority, 'requireChange'>) {
  return async (
    tx: Db,
    scope: Scope,
    [wasBase, wasOwn, locked]: ReturnType<typeof layersOf>,
    { version, sent }: Change,
  ): Promise<SparseSettings | null> => {
    const mayEdit = allows(scope.permissions, 'agents_edit');
    if (version && !version.is_published && !mayEdit)
      requirePermissions(new Map([['assistant_version_id', ['agents_edit']]]));
    const base = version ? version.settings : wasBase;
    // A caller without agents_edit gets the settings of a new conversation, and keeps its stricter ones.
    const kept = version && !mayEdit ? dropLoosenedSettings(base, wasOwn) : wasOwn;
    const own = sent ? overlay(kept ?? {}, sent) : kept;
    const before = [wasBase, wasOwn, locked];
    const asked = locked && sent ? lockedKeysOf(locked, sent) : null;
    // A version without the agent's locks is refused, although the locks would apply there too.
    const after = [base, own, locked, asked];
    checkLocks(scope, before, version ? [base, own] : after);
    // Settings from before the move must not override the locks of the new version.
    if (version) checkLocks(scope, [base], [base, own]);
    // Every conversation may follow the published version, so moving there needs no permission.
    const from = version?.is_published ? [base, kept, locked] : before;
    await requireChange(tx, scope, from, after);
    return own;
  };
}
