import { isDeepStrictEqual } from 'node:util';
import type { ConversationCreate } from '@atrium/contract/conversations/schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { AgentSettings, ConversationBase } from '../../agents/ports.ts';
import {
  canRestrictSettings,
  mergeRestrictedSettings,
  restrictedSettingsAfter,
  type SavedSettings,
} from '../../restricted-settings/service.ts';
import { findRestricted } from '../store.ts';

const parsed = (text: string | null): SparseSettings | null => (text === null ? null : JSON.parse(text));

/** The settings of conversations whose saver lacked variables_read: secrets without hosts are not filled into them. */
export function makeRestrictedSettings({ db, agentSettings }: { db: Database; agentSettings: AgentSettings }) {
  async function layersOf(from: Db, { workspace_id }: Scope, id: string) {
    const row = await findRestricted(from, workspace_id, id);
    if (!row) throw notFound('conversation');
    const base: SavedSettings = { settings: parsed(row.base_settings), restricted: row.base_restricted ?? [] };
    const own: SavedSettings = { settings: parsed(row.settings), restricted: row.restricted };
    return { base, own };
  }

  return {
    async inConversation(scope: Scope, id: string) {
      const { base, own } = await layersOf(db, scope, id);
      return mergeRestrictedSettings(base, own);
    },

    /** For a new conversation. Values that narrow the agent's settings add no restriction. */
    async atStart(scope: Scope, base: ConversationBase, { settings, preview }: ConversationCreate) {
      if (!settings || !canRestrictSettings(scope, settings)) return [];
      const { assistant_id: agent_id, assistant_version_id: version_id } = base;
      const restricted = agent_id ? await agentSettings.restricted(scope, { agent_id, version_id, preview }) : [];
      return restrictedSettingsAfter(scope, { settings: base.settings, restricted }, settings);
    },

    /** After a patch with settings. */
    async afterPatch(tx: Db, scope: Scope, id: string, sent: SparseSettings) {
      const { base, own } = await layersOf(tx, scope, id);
      const known = { settings: { ...base.settings, ...own.settings }, restricted: mergeRestrictedSettings(base, own) };
      const settings = restrictedSettingsAfter(scope, known, sent);
      return { settings, isChanged: !isDeepStrictEqual(settings, known.restricted) };
    },
  };
}
