import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { type Config, loadConfig } from './config.ts';
import type { LimitMemory } from './db/query-connections.ts';
import { type Log, makeLog } from './lib/log.ts';

enableCompileCache();

type Step = () => Promise<unknown> | unknown;

/** The embedded server on our data directory, or the one DATABASE_URL names. */
async function storage(
  config: Config,
  log: Log,
  closing: Step[],
): Promise<{ connection: PoolConfig; direct?: PoolConfig; limitMemory?: LimitMemory }> {
  if (config.database_direct_url !== undefined && config.database_url === undefined)
    throw new Error('DATABASE_DIRECT_URL is set without DATABASE_URL; set both, or DATABASE_URL alone');
  if (config.database_url !== undefined)
    return {
      connection: { connectionString: config.database_url },
      ...(config.database_direct_url !== undefined && { direct: { connectionString: config.database_direct_url } }),
    };
  const { lockDataDir } = await import('./db/embedded/data-dir-lock.ts');
  const { superviseEmbedded } = await import('./db/embedded/supervise-embedded.ts');
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 });
  closing.push(lockDataDir(config.data_dir));
  const server = await superviseEmbedded({
    dir: join(config.data_dir, 'postgres'),
    log: (message) => log.info(message),
    // The program is of no use without its database; its supervisor can start it again.
    onGone: fail,
  });
  closing.push(() => server.stop());
  return server;
}

/** Resolves when the text was written, rejects when it could not be. */
const print = (text: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = loadConfig(process.env);
  const log = makeLog(config.log_level);
  const closing: Step[] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      for (const step of closing.splice(0).reverse()) await step();
    })();
    return closed;
  };
  let drain: Step | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    // A shutdown that hangs must not keep the process alive: committed data is safe.
    setTimeout(() => process.exit(1), 30_000 + config.drain_seconds * 1000).unref();
    // A second signal, or one from a keyboard, does not wait.
    const drained = signal === 'SIGTERM' ? drain?.() : undefined;
    drain = undefined;
    Promise.resolve(drained)
      .then(close)
      .then(
        () => process.exit(0),
        (error) => fail(error),
      );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);

  try {
    const { reservePort } = await import('./http/reserve-port.ts');
    const port = config.roles.includes('http') ? await reservePort(config) : undefined;
    if (port) closing.push(port.release);
    const { connection, direct, limitMemory } = await storage(config, log, closing);
    const { makeApp } = await import('./app.ts');
    const app = await makeApp(config, connection, log, {
      ...{ alone: config.database_url === undefined, direct, limitMemory },
    });
    closing.push(() => app.close());
    if (config.drain_seconds > 0) drain = () => app.drain(config.drain_seconds);
    if (!port && config.health_port !== undefined) {
      const { serveHealth } = await import('./http/serve-health.ts');
      const health = await serveHealth(app.server, { host: config.host, port: config.health_port });
      closing.push(health.close);
      log.info('health.listening', { port: health.port });
    }
    const address = await port?.handOver(app.server);
    if (address) await print(`\nAtrium is running at ${address}  (API reference: ${address}/docs)\n`);
    await app.showAdminKey((key) => print(`Admin API key, shown this once: ${key}\n`));
    await app.showClaim(async (token) => {
      await print(`Claim token, to sign in as the first administrator (docs/people.md): ${token}\n`);
      // Behind the #, so that no request and no log of a proxy has it.
      if (address && existsSync(join(config.console_dir, 'index.html')))
        await print(`Open this to begin: ${process.env['ATRIUM_PUBLIC_URL'] ?? address}/welcome#token=${token}\n`);
    });
    await print('\n');
  } catch (error) {
    await close();
    throw error;
  }
}

function fail(error: unknown): void {
  process.stderr.write(`\nAtrium could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
