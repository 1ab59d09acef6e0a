import { isBuiltin } from 'node:module';
import { isAbsolute, relative, sep } from 'node:path';
import { repository } from './stamp-of-sources.ts';

/**
 * Packages that every start loads, and that consist of nothing but JavaScript: one file is read in place of hundreds. Those
 * with native parts, workers or files of their own stay where they are installed, and so do those that are loaded when they
 * are first used.
 */
const bundled = new Set([
  '@fastify/busboy',
  '@noble/hashes',
  '@scure/base',
  'csv-parse',
  'fastify',
  'fflate',
  'graphile-worker',
  'ibantools',
  'pg',
  'prom-client',
  'robots-parser',
  'tldts',
  'zod',
]);

/** What those packages load in cases that do not occur here: other drivers, loggers, command lines and compilers. */
const apart = new Set(['pg-native', 'pg-cloudflare', 'pino', 'typescript', 'yargs', 'ts-node']);

/** Seen from the repository, which may itself lie in a folder of that name. */
const isInPackages = (path: string) => relative(repository, path).split(sep).includes('node_modules');

const packageOf = (id: string) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
const isOwn = (id: string) => id.startsWith('.') || isAbsolute(id) || id.startsWith('@atrium/');

/** Whether a module is loaded from where it is installed. What a bundled package needs is bundled with it. */
export function isInstalled(id: string, importer: string | undefined): boolean {
  if (isBuiltin(id)) return true;
  if (isOwn(id)) return false;
  return importer && isInPackages(importer) ? apart.has(packageOf(id)) : !bundled.has(packageOf(id));
}
