import { type Entry, type Limits, type Output, SandboxFileRefused, type SandboxFiles } from '../driver.ts';
import { namesOf } from '../local/open-directory.ts';
import type { ShellProgram } from './shell-program.ts';

/** Runs one of our programs in the sandbox. */
export type RunShell = (ref: string, program: ShellProgram, signal: AbortSignal) => AsyncIterable<Output>;

const [missing, notAFile, notADirectory, tooLarge] = [66, 67, 68, 69];

const enter = 'mkdir -p -- "$ATRIUM_HOME" && cd -- "$ATRIUM_HOME" || exit 1\npath=./$ATRIUM_PATH\n';
const scripts = {
  list: `${enter}[ -e "$path" ] || exit ${missing}
[ -d "$path" ] || exit ${notADirectory}
find "$path" -mindepth 1 -maxdepth 1 -printf '%y\\t%s\\t%T@\\t%f\\0'`,
  read: `${enter}[ -e "$path" ] || exit ${missing}
[ -f "$path" ] && [ ! -L "$path" ] || exit ${notAFile}
[ "$(stat -c %s -- "$path")" -le "$ATRIUM_MOST" ] || exit ${tooLarge}
cat -- "$path"`,
  write: `${enter}mkdir -p -- "$(dirname -- "$path")" || exit ${notADirectory}
[ -d "$path" ] && exit ${notAFile}
draft=$path.$$.part
cat > "$draft" && mv -f -- "$draft" "$path"`,
  remove: `${enter}[ -e "$path" ] || [ -L "$path" ] || exit ${missing}
rm -rf -- "$path"`,
};

const refusals: Record<number, () => SandboxFileRefused> = {
  [missing]: () => new SandboxFileRefused('missing', 'there is no such file or directory'),
  [notAFile]: () => new SandboxFileRefused('not_a_file', 'it is not a plain file'),
  [notADirectory]: () => new SandboxFileRefused('not_a_directory', 'it is not a directory'),
  [tooLarge]: () => new SandboxFileRefused('too_large', 'it is too large'),
};

const types: Record<string, Entry['type']> = { f: 'file', d: 'directory', l: 'link' };
const timeoutMs = 60_000;

/** File access for engines that can only run commands. Paths are passed in the environment. */
export function shellFiles(run: RunShell, limits: Limits, home: string): SandboxFiles {
  async function* output(ref: string, script: keyof typeof scripts, path: string, stdin: Uint8Array = Buffer.alloc(0)) {
    const names = namesOf(path);
    if (names.length === 0 && script !== 'list') throw new SandboxFileRefused('bad_path', 'a file is needed');
    const env = { ATRIUM_HOME: home, ATRIUM_PATH: names.join('/'), ATRIUM_MOST: String(limits.file_bytes) };
    const signal = AbortSignal.timeout(timeoutMs);
    for await (const part of run(ref, { script: scripts[script], env, stdin }, signal)) {
      if ('data' in part) {
        if (part.stream === 'stdout') yield part.data;
      } else if (part.ended.exit_code !== 0)
        throw refusals[part.ended.exit_code ?? 0]?.() ?? new SandboxFileRefused('bad_path', 'it can not be used');
    }
  }
  const whole = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(chunks));

  const files: SandboxFiles = {
    async list(ref, path) {
      const above = namesOf(path).map((name) => `${name}/`);
      const lines = (await whole(output(ref, 'list', path))).toString().split('\0').filter(Boolean);
      return lines
        .map((line): Entry => {
          const [type = '', size = '', time = '', ...name] = line.split('\t');
          return {
            path: `${above.join('')}${name.join('\t')}`,
            type: types[type] ?? 'other',
            size: type === 'f' ? Number(size) : 0,
            modified_at: new Date(Number(time) * 1000),
          };
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },

    /** Waits for the first bytes, so that an unreadable file is reported before any are returned. */
    async read(ref, path) {
      const source = output(ref, 'read', path);
      const first = await source.next();
      return (async function* () {
        if (first.done) return;
        yield first.value;
        yield* source;
      })();
    },

    async write(ref, path, content) {
      if (content.length > limits.file_bytes)
        throw new SandboxFileRefused('too_large', `a file may have at most ${limits.file_bytes} bytes`);
      await whole(output(ref, 'write', path, content));
      return { path: namesOf(path).join('/'), type: 'file', size: content.length, modified_at: new Date() };
    },

    remove: async (ref, path) => void (await whole(output(ref, 'remove', path))),
  };
  return files;
}
