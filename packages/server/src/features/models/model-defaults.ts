import { invalid } from '@atrium/contract/errors.ts';
import { objectOf } from '@atrium/contract/keys-of.ts';
import {
  type ModelDefaults as Answer,
  type DefaultKind,
  defaultKinds,
  type ModelDefaultsPut,
} from '@atrium/contract/models/schema.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ModelLocator } from './ports.ts';
import type { Registry } from './service.ts';
import * as store from './store.ts';

type Models = Partial<Record<DefaultKind, string | undefined>>;

/** The models that are used where no setting names one. */
export interface ModelDefaults {
  /** The model in effect now; asked for each use, since it can change at any time. */
  current(kind: DefaultKind): string | undefined;
  /** The same, without what the environment sets. */
  stored(kind: DefaultKind): string | undefined;
}

export interface ModelDefaultsAdmin {
  get(): Answer;
  set(scope: Scope, models: ModelDefaultsPut): Promise<Answer>;
}

const topic = 'model_defaults';

/** Reads the stored defaults and keeps them; every node reads them again when one has changed them. */
export async function makeModelDefaults(deps: {
  db: Database;
  notifier: Notifier;
  log: Log;
  /** An installation has one organization. */
  tenant_id: string;
  environment: Models;
}): Promise<ModelDefaults & { reload(): Promise<void>; environment: Models }> {
  const { db, notifier, log, tenant_id, environment } = deps;
  let stored: Models = {};
  const reload = async () => {
    const rows = await store.listDefaults(db, tenant_id);
    stored = Object.fromEntries(rows.map(({ kind, model }) => [kind, model]));
  };
  const attempt = () =>
    void reload().catch((error) => log.warn('The default models were not read again', errorFields(error)));
  notifier.on(topic, attempt);
  notifier.onMissed(attempt);
  await reload();
  return {
    current: (kind) => stored[kind] ?? environment[kind],
    stored: (kind) => stored[kind],
    reload,
    environment,
  };
}

/** The defaults as administrators see and change them. */
export function makeModelDefaultsAdmin(deps: {
  db: Database;
  notifier: Notifier;
  defaults: Awaited<ReturnType<typeof makeModelDefaults>>;
  registry: Pick<Registry, 'unknown'>;
  locateModel: ModelLocator;
}): ModelDefaultsAdmin {
  const { db, notifier, defaults, registry, locateModel } = deps;
  const get = (): Answer =>
    objectOf(defaultKinds, (kind) => {
      const environment = defaults.environment[kind] ?? null;
      const source = defaults.stored(kind) ? 'api' : environment === null ? 'none' : 'environment';
      return { model: defaults.current(kind) ?? null, source, environment } as const;
    });

  /** Guardrails and insights ask language models, which have presets too. */
  async function reasonAgainst(scope: Scope, kind: DefaultKind, model: string): Promise<string | undefined> {
    if (kind === 'guardrail' || kind === 'insights')
      return (await registry.unknown(scope, [model])).length ? 'no configured provider has this model' : undefined;
    const located = await locateModel(scope, model);
    if ('reason' in located) return located.reason;
    // A server takes any name, also one that begins with an unknown provider.
    return located.name === model ? undefined : `it would be taken for ${located.name}; write it as provider/model`;
  }

  return {
    get,
    async set(scope, models) {
      const rows = defaultKinds.flatMap((kind) => (models[kind] ? [{ kind, model: models[kind] }] : []));
      for (const { kind, model } of rows) {
        const reason = await reasonAgainst(scope, kind, model);
        if (reason) throw invalid(['body', kind], reason, model);
      }
      scope.audit?.note({ before: get(), target: { kind: 'model_defaults', id: 'defaults', name: 'defaults' } });
      await db.transaction(scope, async (tx) => {
        await store.replaceDefaults(tx, scope.tenant_id, rows);
        await notifier.notify(tx, topic);
      });
      // This node before the caller gets its answer; the others with the commit.
      await defaults.reload();
      const after = get();
      scope.audit?.note({ after });
      return after;
    },
  };
}
