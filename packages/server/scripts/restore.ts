import { existsSync } from 'node:fs';
import { loadConfig } from '../src/config.ts';
import { restoreBackup } from './backup/restore-backup.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const [source, wanted] = process.argv.slice(2);
  if (!source)
    throw new Error(
      'Name where the backups are, a folder or s3://bucket/prefix: npm run restore -- /mnt/backups [20261117T020000Z]',
    );
  const config = loadConfig(process.env);
  const { name, files } = await restoreBackup(config, source, config.backup_passphrase, wanted);
  say(
    `Restored ${name}: the database, the keys and ${files} files are in ${config.data_dir}. Start the program on it.`,
  );
} catch (error) {
  process.stderr.write(
    `\nNothing was restored, or not all: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
