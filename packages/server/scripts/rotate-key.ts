import { existsSync } from 'node:fs';
import { rotateKey } from '../src/app/keyring/rotate-key.ts';
import { loadConfig } from '../src/config.ts';
import { makeLog } from '../src/lib/log.ts';
import { withDatabase } from './with-database.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = loadConfig(process.env);
  const log = makeLog('warn');
  await withDatabase(config, (connection) => rotateKey(config, connection, { log, say }));
} catch (error) {
  process.stderr.write(`\nThe keys were not rotated: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
