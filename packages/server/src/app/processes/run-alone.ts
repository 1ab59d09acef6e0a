import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { openStorage } from './open-storage.ts';
import { announce, serveHealthOnly } from './serve-app.ts';
import type { Shutdown } from './shutdown.ts';

/** The whole program in this process. */
export async function runAlone(
  config: Config,
  { log, shutdown, fail }: { log: Log; shutdown: Shutdown; fail(error: unknown): void },
): Promise<void> {
  const { reservePort } = await import('../../http/reserve-port.ts');
  const port = config.roles.includes('http') ? await reservePort(config) : undefined;
  if (port) shutdown.add(port.release);
  // PostgreSQL starts in other processes while this one reads the program and the migrations.
  const loadProgram = () => import('../../app.ts');
  let isLaunched = false;
  const { connection, direct, limitMemory } = await openStorage(config, {
    ...{ log, shutdown, onGone: fail },
    onLaunch() {
      // A database that is started again is migrated already.
      if (isLaunched) return;
      isLaunched = true;
      loadProgram().catch(() => {});
      import('../../db/migrate.ts').then((migrate) => migrate.readMigrationsAhead()).catch(() => {});
    },
  });
  const { makeApp } = await loadProgram();
  const app = await makeApp(config, connection, log, {
    ...{ alone: config.database_url === undefined, direct, limitMemory },
  });
  shutdown.add(() => app.close());
  shutdown.onDrain(() => app.drain(config.drain_seconds));
  await serveHealthOnly(app, config, { log, shutdown });
  const address = await port?.handOver(app.server);
  await announce(app, config, log, address);
}
