import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, configFields } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { readDatabaseState } from '../../db/state/read-database-state.ts';
import type { SandboxEngines } from '../../drivers/sandboxes/driver.ts';
import type { Registry } from '../../features/models/service.ts';
import { systemRoutes } from '../../features/system/handlers.ts';
import { makeSystem } from '../../features/system/service.ts';
import type { MachineMetrics } from '../../lib/machine/machine-metrics.ts';
import { readQueueState, readWorkers } from '../../worker/read-queue-state.ts';
import { readMemory } from './read-memory.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
const meanings = new Map(configFields.map(({ name, meaning }) => [name, meaning]));

/** The state of the server, for administrators. */
export function composeSystem(deps: {
  db: Database;
  config: Config;
  registry: Pick<Registry, 'list'>;
  engines: Pick<SandboxEngines, 'known'>;
  /** Undefined where this process is the only one. */
  machine: Pick<MachineMetrics, 'sumMemory'> | undefined;
}) {
  const { db, config, registry, engines, machine } = deps;
  const { roles, data_dir, public_url, tagger, tagger_url } = config;
  return systemRoutes(
    makeSystem({
      ...{ version, roles: [...roles], data_dir, public_url },
      embedded: config.database_url === undefined,
      tagger: tagger_url ? 'service' : tagger,
      is_encrypted: config.encrypt_at_rest,
      has_mail: config.mail !== undefined,
      environment: config.environment.map((name) => ({ name, meaning: meanings.get(name) ?? '' })),
      memory: () => readMemory(machine),
      queue: () => readQueueState(db),
      workers: () => readWorkers(db),
      database: () => readDatabaseState(db),
      sandboxes() {
        const known = engines.known();
        if (!known) return { state: 'checking', engine: null, isolation: null, advice: '' };
        const { usable, engine, isolation, advice } = known;
        return { state: usable ? 'ready' : 'unavailable', engine, isolation, advice };
      },
      hasLanguageModel: async (scope) => (await registry.list(scope)).some(({ kind }) => kind === 'llm'),
    }),
  );
}
