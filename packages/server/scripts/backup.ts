import { existsSync } from 'node:fs';
import { loadConfig } from '../src/config.ts';
import { makeBackup } from './backup/make-backup.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const [target] = process.argv.slice(2);
  if (!target) throw new Error('Name where the backups are: npm run backup -- /mnt/backups, or s3://bucket/prefix');
  const config = loadConfig(process.env);
  const { name, files, written, left_out } = await makeBackup(config, target, config.backup_passphrase);
  say(`Backup ${name}: the database, the keys and ${files} files, ${written} of them new.`);
  // Users choose the names of files in sandboxes, so the terminal gets only the ids of the sandboxes.
  const sandboxes = new Set(left_out.map((path) => path.split('/')[1]));
  if (left_out.length > 0)
    say(
      `Left out: ${left_out.length} unreadable files or directories, of these sandboxes: ${[...sandboxes].join(', ')}.`,
    );
} catch (error) {
  process.stderr.write(`\nNo backup was made: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
