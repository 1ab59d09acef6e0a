import { existsSync } from 'node:fs';
import { loadConfig } from '../src/config.ts';
import { makeBackup } from './backup/make-backup.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const [target] = process.argv.slice(2);
  if (!target) throw new Error('Name the folder of the backups: npm run backup -- /mnt/backups');
  const config = loadConfig(process.env);
  const { name, files, written } = await makeBackup(config, target, config.backup_passphrase);
  say(`Backup ${name}: the database, the keys and ${files} files, ${written} of them new.`);
} catch (error) {
  process.stderr.write(`\nNo backup was made: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
