import { notFound } from '@atrium/contract/errors.ts';
import type { Preset, PresetSetting } from '@atrium/contract/models/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { providersTopic } from './provider-accounts.ts';
import type { Registry } from './service.ts';
import * as store from './store.ts';

/** Presets as administrators see and change them. */
export interface Presets {
  get(scope: Scope, name: string): Promise<PresetSetting>;
  list(scope: Scope): Promise<Preset[]>;
  put(scope: Scope, name: string, models: readonly string[]): Promise<PresetSetting>;
  /** Removes the choice of an administrator; a built-in preset then has its computed models again. */
  reset(scope: Scope, name: string): Promise<void>;
}

interface PresetDeps {
  db: Database;
  notifier: Notifier;
  registry: Registry;
}

export function makePresets({ db, notifier, registry }: PresetDeps): Presets {
  async function get(scope: Scope, name: string): Promise<PresetSetting> {
    const preset = (await registry.presets(scope)).find((candidate) => candidate.name === name);
    if (!preset) throw notFound('preset');
    return preset;
  }

  /** Every node drops its cache with the commit; this one before the caller gets its answer. */
  async function changePresets(scope: Scope, name: string, change: (tx: Db) => Promise<unknown>): Promise<void> {
    scope.audit?.note({ target: { kind: 'preset', id: name, name } });
    await db.transaction(scope, async (tx) => {
      await change(tx);
      await notifier.notify(tx, providersTopic);
    });
    notifier.notifyLocal(providersTopic);
  }

  return {
    get,

    list: async (scope) => (await registry.presets(scope)).map((preset) => omit(preset, ['overridden'])),

    async put(scope, name, models) {
      scope.audit?.note({ after: { models } });
      await changePresets(scope, name, (tx) => store.putPreset(tx, scope.tenant_id, name, models));
      return get(scope, name);
    },

    async reset(scope, name) {
      await get(scope, name);
      await changePresets(scope, name, (tx) => store.deletePreset(tx, scope.tenant_id, name));
    },
  };
}
