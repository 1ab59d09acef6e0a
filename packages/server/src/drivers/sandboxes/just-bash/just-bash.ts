import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type EndReason, endReasons, languages } from '@atrium/contract/sandboxes/engines.ts';
import { type Command, EngineFailed, type Limits, type Output, type Probe, type SandboxDriver } from '../driver.ts';
import { type Installation, ownInstallation, readingScript, withCanary } from '../installation.ts';
import { goneIfMissing } from '../local/confined-files.ts';
import { destroyDirectory, directoriesIn, makeDirectories } from '../local/local-directories.ts';
import { localFiles } from '../local/local-files.ts';
import { localSnapshots } from '../local/snapshots/local-snapshots.ts';
import { makeUsageCounter } from '../local/usage-counter.ts';
import { mergeOutput } from '../merge-output.ts';
import { runToEnd } from '../run-to-end.ts';
import { reasonFd, type ShellRequest } from './request.ts';

const here = import.meta.dirname;

/** The directory of packages, from which the child reads its code; also by the link that may lead there. */
const packages = () => {
  const entry = createRequire(import.meta.url).resolve('just-bash');
  const real = entry.slice(0, entry.lastIndexOf('/node_modules/') + '/node_modules'.length);
  return [real, join(here, '../../../../../node_modules')];
};

const isReason = (text: string): text is EndReason => endReasons.some((reason) => reason === text);

export interface JustBashOptions {
  root: string;
  limits: Limits;
  /** The paths that no sandbox may see; those of the running program unless given. */
  installation?: Installation;
  /** Whether the operator has set a folder of Python wheels, which this engine can't use. */
  has_wheels?: boolean;
}

/**
 * A shell in JavaScript, with Python and JavaScript as WebAssembly: no real programs, processes or network. It runs on
 * every machine. Node's permission model limits the process of the interpreter to the sandbox's directory; that is a
 * second line of defence only, so the isolation is called emulated.
 */
export function makeJustBash(options: JustBashOptions): SandboxDriver {
  const { root, limits, installation = ownInstallation(root), has_wheels = false } = options;
  const counter = makeUsageCounter();
  const running = new Set<ChildProcess>();
  const workOf = (ref: string) => directoriesIn(root, ref).work;

  function start(work: string): ChildProcess {
    const heap = Math.max(64, Math.floor(limits.memory_bytes / 1024 / 1024));
    const allowed = [...packages(), join(here, '..'), work].map((path) => `--allow-fs-read=${path}`);
    return spawn(
      process.execPath,
      [
        ...['--permission', '--allow-worker', '--allow-wasi', ...allowed, `--allow-fs-write=${work}`],
        ...[`--max-old-space-size=${heap}`, '--disable-warning=SecurityWarning'],
        '--disable-warning=ExperimentalWarning',
        join(here, 'child.ts'),
      ],
      { cwd: work, env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] },
    );
  }

  async function* exec(ref: string, command: Command, signal: AbortSignal): AsyncGenerator<Output> {
    const work = workOf(ref);
    await stat(work).catch(goneIfMissing);
    const used = await counter.measure(work, limits.inodes);
    if (signal.aborted) return yield { ended: { exit_code: null, reason: signal.reason as EndReason } };
    const child = start(work);
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code));
    });
    // Reported where the command waits for it; without a reader it must not end the process.
    closed.catch(() => {});
    running.add(child);
    let killed: EndReason | undefined;
    const abort = () => {
      killed ??= signal.reason as EndReason;
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', abort);
    const request: ShellRequest = { command, work, limits, used };
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(request));
    const told = text(child.stdio[reasonFd] as Readable).catch(() => '');
    try {
      yield* mergeOutput(child.stdout as Readable, child.stderr as Readable);
      const code = await closed.catch((error: Error) => {
        throw new EngineFailed(`The emulated shell can't be started: ${error.message}`);
      });
      // It may hit another limit while it ends; the first one is the reason.
      const [said = ''] = (await told).split('\n');
      const reason = killed ?? (isReason(said) ? said : undefined);
      // Node aborts by a signal when its heap is full.
      const crashed = code === null ? ({ exit_code: null, reason: 'memory' } as const) : undefined;
      yield { ended: reason ? { exit_code: null, reason } : (crashed ?? { exit_code: code, reason: 'exit' }) };
    } finally {
      signal.removeEventListener('abort', abort);
      child.kill('SIGKILL');
      child.stdout?.resume();
      child.stderr?.resume();
      // A failed start was reported above.
      await closed.catch(() => {});
      running.delete(child);
    }
  }

  const driver: SandboxDriver = {
    engine: 'just-bash',
    has_terminals: false,

    async create({ id }) {
      await makeDirectories(root, id);
      return id;
    },

    start: async (ref) => void (await stat(workOf(ref)).catch(goneIfMissing)),
    stop: async () => {},
    destroy: (ref) => destroyDirectory(root, ref),
    exec,
    files: localFiles({ limits, counter, workOf }),
    snapshots: localSnapshots({
      ...{ root, limits },
      create: (spec) => driver.create(spec),
      destroy: (ref) => driver.destroy(ref),
    }),

    probe: async () => {
      const found: Probe = {
        usable: true,
        isolation: 'emulated',
        languages,
        network: false,
        unlimited: ['processes'],
        note: `a shell made of JavaScript, without real programs; output comes when the command has ended${has_wheels ? '; ATRIUM_SANDBOX_WHEELS has no effect in it' : ''}`,
      };
      const id = randomUUID();
      try {
        await driver.create({ id, persistent: false, network: false });
        const { stdout, stderr } = await withCanary(installation, (files) => {
          const code = `${readingScript([...files, '/etc/passwd'])}\necho $((6 * 7))`;
          const command = { language: 'bash', code, cwd: '', env: {}, stdin: '' } as const;
          return runToEnd(exec(id, command, AbortSignal.timeout(30_000)));
        });
        if (stdout === '42\n') return found;
        const seen = stdout.split('\n').filter((line) => line.startsWith('it can read'));
        if (seen.length) return { ...found, usable: false, note: `the self-test does not hold: ${seen.join(', ')}` };
        return { ...found, usable: false, note: `the self-test failed: ${stderr.trim().slice(-200)}` };
      } catch (error) {
        return { ...found, usable: false, note: error instanceof Error ? error.message : String(error) };
      } finally {
        // The result of the self-test counts; a directory that is left over does no harm.
        await driver.destroy(id).catch(() => {});
      }
    },

    async close() {
      for (const child of running) child.kill('SIGKILL');
      await counter.close();
    },
  };
  return driver;
}
