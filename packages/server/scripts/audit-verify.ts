import { existsSync } from 'node:fs';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { verifyChains } from '../src/features/audit/service.ts';
import { makeLog } from '../src/lib/log.ts';
import { withDatabase } from './with-database.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = loadConfig(process.env);
  await withDatabase(config, async (connection) => {
    const db = openDatabase({ connection, max: 2, log: makeLog('warn') });
    try {
      const { ok, entries, faults, chains } = await verifyChains(db);
      for (const { chain_id, position, hash } of chains) say(`${chain_id} ${position} ${hash}`);
      for (const { problem, chain_id, position, entry_id } of faults)
        say(`FAULT ${problem}: chain ${chain_id}, position ${position ?? 'none'}, entry ${entry_id ?? 'unknown'}`);
      say(ok ? `The audit log is intact: ${entries} entries.` : `The audit log was changed: ${faults.length} faults.`);
      if (!ok) process.exitCode = 1;
    } finally {
      await db.close();
    }
  });
} catch (error) {
  process.stderr.write(`\nThe audit log was not verified: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
