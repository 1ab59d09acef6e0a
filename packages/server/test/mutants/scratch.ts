import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the tree that may be changed, with a folder for what its tests write. */
export interface Scratch {
  root: string;
  temporary: string;
  remove(): void;
}

/** Packages of this repository are links to `packages/`, and stay so in the copy; all others are read where they are. */
const ownScope = '@atrium';

function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue;
    if (name === ownScope) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}

/** Files that Git tracks or would track, as they are now. */
function listFiles(root: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

export function makeScratch(root: string): Scratch {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-mutants-'));
  const copy = join(dir, 'tree');
  const temporary = join(dir, 'tmp');
  for (const file of listFiles(root)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)])
    if (existsSync(join(root, folder, 'node_modules')))
      linkModules(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  mkdirSync(temporary);
  return { root: copy, temporary, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Removes what tests that were ended have left. */
export function emptyTemporary({ temporary }: Scratch): void {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
}
