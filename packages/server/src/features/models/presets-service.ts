import { notFound } from '@atrium/contract/errors.ts';
import type { Preset, PresetSetting } from '@atrium/contract/models/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Scope } from '../../lib/scope.ts';
import { providersTopic } from './provider-accounts.ts';
import type { Registry } from './service.ts';
import * as store from './store.ts';

export type Presets = ReturnType<typeof makePresets>;

/** Presets as administrators see and change them. Removing a choice brings the computed models back. */
export function makePresets({ db, notifier, registry }: { db: Database; notifier: Notifier; registry: Registry }) {
  async function get(scope: Scope, name: string): Promise<PresetSetting> {
    const found = (await registry.presets(scope)).find((preset) => preset.name === name);
    if (!found) throw notFound('preset');
    return found;
  }

  /** Every node has forgotten the old choice once this is done; ours at once. */
  async function changing(change: (tx: Db) => Promise<unknown>): Promise<void> {
    await db.transaction(undefined, async (tx) => {
      await change(tx);
      await notifier.notify(tx, providersTopic);
    });
    notifier.notifyLocal(providersTopic);
  }

  return {
    get,

    list: async (scope: Scope): Promise<Preset[]> =>
      (await registry.presets(scope)).map(({ overridden: _, ...preset }) => preset),

    async put(scope: Scope, name: string, models: readonly string[]): Promise<PresetSetting> {
      await changing((tx) => store.putPreset(tx, scope.tenant_id, name, models));
      return get(scope, name);
    },

    async reset(scope: Scope, name: string): Promise<void> {
      await get(scope, name);
      await changing((tx) => store.deletePreset(tx, scope.tenant_id, name));
    },
  };
}
