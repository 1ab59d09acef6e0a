import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { restrictedSettingsAfter } from '../restricted-settings/service.ts';
import type { SettingsAuthority } from '../settings/ports.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { recordLocks } from './locks/record-locks.ts';
import { readSettings } from './service.ts';
import * as store from './store.ts';
import { restrictedOfAgent } from './versions/version-store.ts';

export type DuplicateAgent = (scope: Scope, id: string, name: string | undefined) => Promise<string>;

const longestName = 200;
const copied = ['definition'];

/** Copies an agent within its workspace. The caller answers for the copy, as for an agent that it creates. */
export function makeDuplicateAgent(deps: { db: Database; authority: SettingsAuthority }): DuplicateAgent {
  const { db, authority } = deps;

  return async (scope, source_id, name) => {
    const source = await store.findAgent(db, scope.workspace_id, source_id);
    if (!source) throw notFound('agent');
    const definition = readSettings(source.definition);
    const draft = source.draft_definition === null ? null : readSettings(source.draft_definition);
    for (const settings of [definition, ...(draft ? [draft] : [])])
      await authority.check(scope, settings, copied, { layers: [settings], isCopy: true });
    await authority.requireChange(db, scope, [], [definition]);
    if (draft) await authority.requireChange(db, scope, [definition], [draft]);
    const none = { settings: null, restricted: [] };
    return db.transaction(scope, async (tx) => {
      const known = await restrictedOfAgent(tx, scope.workspace_id, source_id);
      // What was restricted stays so: a copy by a holder of variables_read must not lift it unseen.
      const restrict = (settings: typeof definition, before: readonly SecretSetting[]) => [
        ...new Set([...before, ...restrictedSettingsAfter(scope, none, settings)]),
      ];
      const [id, version_id] = [newId(), newId()];
      const fields = {
        name: name ?? `Copy of ${source.name}`.slice(0, longestName).toWellFormed(),
        ...{ description: source.description, visible: source.visible, allow_public_access: false },
        // An uploaded picture belongs to the original.
        image_url: source.image_url?.startsWith(`/v1/agents/${source_id}/`) ? null : source.image_url,
      };
      await store.insertAgent(tx, scope.workspace_id, {
        ...{ ...fields, id, version_id, definition: source.definition, created_by: scope.actor.id },
        rights: [...scope.permissions],
        restricted_settings: restrict(definition, known.published),
      });
      if (draft) {
        const drafted = { ...fields, version_id, draft_definition: source.draft_definition };
        await store.updateAgent(tx, scope.workspace_id, id, drafted, restrict(draft, known.draft));
      }
      await recordLocks(tx, scope, { id, locks: [] }, { published: definition, draft }, undefined);
      scope.audit?.note({
        target: { kind: 'agent', id, name: fields.name },
        after: { name: fields.name, copy_of: source_id },
      });
      return id;
    });
  };
}
