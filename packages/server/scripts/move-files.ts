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
  process.stdout.write(`Moved ${moved} files.${next}\n`);
} catch (error) {
  process.stderr.write(`\nNot all files were moved: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
