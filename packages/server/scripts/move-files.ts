import { existsSync } from 'node:fs';
import { loadConfig } from '../src/config.ts';
import { directions, moveFiles } from './files/move-files.ts';

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const wanted = process.argv[2] ?? 'to-bucket';
  const direction = directions.find((known) => known === wanted);
  if (!direction) throw new Error('Say where to: npm run move-files -- to-bucket, to-disk or take-over');
  const moved = await moveFiles(loadConfig(process.env), direction);
  const next = direction === 'to-disk' ? ' Start the program without ATRIUM_BLOBS.' : '';
  const done = direction === 'take-over' ? 'The prefixes belong to this database now.' : `Moved ${moved} files.${next}`;
  process.stdout.write(`${done}\n`);
} catch (error) {
  process.stderr.write(`\nIt was not done: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
