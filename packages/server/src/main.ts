import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { makeShutdown } from './app/processes/shutdown.ts';
import { loadConfig } from './config.ts';
import { makeLog } from './lib/log.ts';

enableCompileCache();

async function main([word, number]: readonly string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = loadConfig(process.env);
  const log = makeLog(config.log_level);
  const shutdown = makeShutdown(config.drain_seconds, fail);
  try {
    if (word === 'process' && process.send) {
      const { runChild } = await import('./app/processes/run-child.ts');
      await runChild(Number(number), config, { log: log.with({ process: Number(number) }), shutdown });
    } else if (config.processes > 1) {
      const { runPrimary } = await import('./app/processes/run-primary.ts');
      await runPrimary(config, { log: log.with({ process: 0 }), shutdown, fail });
    } else {
      const { runAlone } = await import('./app/processes/run-alone.ts');
      await runAlone(config, { log, shutdown, fail });
    }
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

function fail(error: unknown): void {
  process.stderr.write(`\nAtrium could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
