import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { isDatabaseOutage, retryThroughOutage } from '../../lib/outages/database-outages.ts';
import type { Shutdown } from './shutdown.ts';

/** Resolves when the text was written, rejects when it could not be. */
const print = (text: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Serves what probes and scrapers read, where a process without the API is to do that. */
export async function serveHealthOnly(app: App, config: Config, { log, shutdown }: { log: Log; shutdown: Shutdown }) {
  if (config.roles.includes('http') || config.health_port === undefined) return;
  const { serveHealth } = await import('../../http/serve-health.ts');
  const health = await serveHealth(app.server, { host: config.host, port: config.health_port });
  shutdown.add(health.close);
  log.info('health.listening', { port: health.port });
}

/** How long the database may be away when a secret is to be shown. */
const showWithinMs = 5 * 60_000;

/** Shows a secret of the start. Requests are served by then: a database that is away must not end the program. */
const show = (log: Log, what: string, step: () => Promise<void>): Promise<void> =>
  retryThroughOutage(showWithinMs, step).catch((error) => {
    if (!isDatabaseOutage(error)) throw error;
    log.error('start.not-shown', { what, advice: 'The next start shows it', ...errorFields(error) });
  });

/** Prints where the program is reached and, on a first start, the secrets that open it. */
export async function announce(app: App, config: Config, log: Log, address: string | undefined): Promise<void> {
  if (address) await print(`\nAtrium is running at ${address}  (API reference: ${address}/docs)\n`);
  await show(log, 'the admin key', () => app.showAdminKey((key) => print(`Admin API key, shown this once: ${key}\n`)));
  await show(log, 'the claim token', () =>
    app.showClaim(async (token) => {
      await print(`Claim token, to sign in as the first administrator (docs/people.md): ${token}\n`);
      const base = config.environment.includes('ATRIUM_PUBLIC_URL') ? config.public_url : address;
      // Behind the #, so that no request and no log of a proxy has it.
      if (address && existsSync(join(config.console_dir, 'index.html')))
        await print(`Open this to begin: ${base}/welcome#token=${token}\n`);
    }),
  );
  await print('\n');
}
