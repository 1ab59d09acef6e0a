import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import type { Config } from './config.ts';
import { openBell } from './db/bell.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { sql } from './db/sql.ts';
import { bootstrap } from './features/bootstrap/bootstrap.ts';
import { idempotencyJobs } from './features/idempotency/jobs.ts';
import { makeIdempotency } from './features/idempotency/service.ts';
import { checkMasterKey, makeKeyring } from './features/keyring/keyring.ts';
import { loadMasterKey } from './features/keyring/master-key.ts';
import { makePrincipals } from './features/keys/principals.ts';
import { keyRoutes } from './features/keys/routes.ts';
import { makeKeys } from './features/keys/service.ts';
import { roleRoutes } from './features/roles/routes.ts';
import { makeRoles } from './features/roles/service.ts';
import { workspaceRoutes } from './features/workspaces/routes.ts';
import { makeWorkspaces } from './features/workspaces/service.ts';
import { addMetrics } from './http/metrics.ts';
import { addHealth } from './http/open-endpoints.ts';
import { openApi } from './http/openapi.ts';
import { addReference } from './http/reference.ts';
import { makeServer } from './http/server.ts';
import type { Log } from './lib/log.ts';
import type { Route } from './lib/route.ts';
import { prepareQueue, startWorker } from './worker/worker.ts';

export interface App {
  server: FastifyInstance;
  routes: readonly Route[];
  /** The admin key, when this start has just made it. */
  admin_key: string | undefined;
  close(): Promise<void>;
}

/** Puts everything together, in the order in which it needs each other. Nothing else in the program makes a service. */
export async function makeApp(config: Config, connection: PoolConfig, log: Log): Promise<App> {
  const master = loadMasterKey(config);
  const db = openDatabase({ connection, max: config.db_pool, log });
  const closing: (() => Promise<unknown>)[] = [() => db.close()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };

  try {
    await migrate(db.pool);
    await prepareQueue(db, log);
    await checkMasterKey(db, master);
    const { admin_key } = await bootstrap(db, config.admin_key);

    const bell = await openBell(connection, log);
    closing.push(() => bell.close());
    const keyring = makeKeyring(db, master);
    const principals = makePrincipals({ db, bell, log });
    closing.push(() => principals.close());
    const workspaces = makeWorkspaces({ db, bell, keyring });
    const keys = makeKeys({ db, bell, workspaces });
    const roles = makeRoles({ db, workspaces });
    const idempotency = makeIdempotency({ db, keyring });

    const routes = [...workspaceRoutes(workspaces), ...keyRoutes(keys), ...roleRoutes(roles)];
    const jobs = [...idempotencyJobs(db)];

    if (config.roles.includes('worker')) {
      const worker = await startWorker(db, jobs, log);
      closing.push(() => worker.stop());
    }

    const { max_json_bytes } = config;
    const server = makeServer({ routes, resolver: principals, idempotency, log, max_json_bytes });
    addHealth(server, async () => {
      const reached = await db.row(sql`select 1`).then(
        () => true,
        () => false,
      );
      return { ready: reached, checks: { database: reached ? 'ok' : 'unreachable', migrations: 'done' } };
    });
    addMetrics(server, { token: config.metrics_token, pool: db.pool });
    addReference(server, () => openApi(routes));
    closing.push(() => server.close());
    return { server, routes, admin_key, close };
  } catch (error) {
    await close();
    throw error;
  }
}
