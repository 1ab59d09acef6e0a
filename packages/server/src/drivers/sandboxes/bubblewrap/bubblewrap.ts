import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import { type Command, type Ended, EngineFailed, type Limits, type Output, type SandboxDriver } from '../driver.ts';
import { hiddenPaths, type Installation, ownInstallation } from '../installation.ts';
import { goneIfMissing } from '../local/confined-files.ts';
import { destroyDirectory, directoriesIn, makeDirectories } from '../local/local-directories.ts';
import { localFiles } from '../local/local-files.ts';
import { localSnapshots } from '../local/snapshots/local-snapshots.ts';
import { makeUsageCounter, type Usage } from '../local/usage-counter.ts';
import { mergeOutput } from '../merge-output.ts';
import { coverInherited, type Launched, launch, systemPath } from './launch.ts';
import { findMemoryGroups, type MemoryGroup, type MemoryGroups } from './memory-group.ts';
import { makePipes, type Pipes } from './pipes.ts';
import { type OpenSocket, openProxy } from './proxy.ts';
import { canRun, isPublic, uidOf } from './sandbox-uid.ts';
import { isMachine, seccompFilter } from './seccomp.ts';
import { selfTest } from './self-test.ts';
import { makeVisibleRoot, visibleRootPath } from './shown-root.ts';
import { hasTerminalPrograms } from './terminal/terminal-program.ts';
import { makeWatchdog } from './watchdog.ts';

export interface BubblewrapOptions {
  /** The directory of all sandboxes. */
  root: string;
  limits: Limits;
  /** Opens connections to public addresses; without it no sandbox gets a network. */
  open?: OpenSocket;
  /** The folder of Python wheels that sandboxes may read. */
  wheels?: string | undefined;
  /** Whether to use a control group where there is one. */
  groups?: boolean;
  /** The paths that no sandbox may see; those of the running program unless given. */
  installation?: Installation;
}

const isRoot = process.getuid?.() === 0;

/** A shell returns 128 plus the signal that ended the last program. */
const [cpuSignal, fileSizeSignal] = [128 + 24, 128 + 25];

/** The engine with Linux namespaces, a system-call filter and limits, by the program `bwrap`. */
export function makeBubblewrap(options: BubblewrapOptions): SandboxDriver {
  const { root, limits, open, wheels, groups: wanted = true, installation = ownInstallation(root) } = options;
  const hidden = hiddenPaths(installation);
  const counter = makeUsageCounter();
  const watchdog = makeWatchdog(counter);
  const filter = isMachine(process.arch) ? seccompFilter(process.arch) : undefined;
  const forwarder = join(import.meta.dirname, './forward.ts');
  const inherited = process.platform === 'linux' ? coverInherited() : { covered: [] };
  const shown = isRoot ? makeVisibleRoot(root, systemPath) : undefined;
  const running = new Set<Launched>();
  /** The last known disk usage of each sandbox. */
  const usages = new Map<string, Usage>();
  const networked = new Set<string>();
  let pipes: Pipes | undefined;
  let groups: Promise<MemoryGroups | undefined> | undefined;

  const leaving = new Set<Promise<void>>();
  const leave = (group: MemoryGroup) => {
    const left = group.remove().finally(() => leaving.delete(left));
    leaving.add(left);
  };

  const paths = (ref: string) => directoriesIn(root, ref);
  const ownNode = realpathSync(process.execPath);
  const node = (isRoot ? isPublic(ownNode) : canRun(ownNode)) ? ownNode : undefined;
  const memoryGroups = () => {
    groups ??= wanted ? findMemoryGroups() : Promise.resolve(undefined);
    return groups;
  };

  async function* exec(ref: string, command: Command, signal: AbortSignal): AsyncGenerator<Output> {
    const { directory, work, marks } = paths(ref);
    const owner = await stat(work).catch(goneIfMissing);
    if (!filter) throw new EngineFailed(`There is no system-call filter for ${process.arch}`);
    const network = open !== undefined && (networked.has(ref) || (await marks.has('network')));
    if (signal.aborted) return yield { ended: { exit_code: null, reason: signal.reason as EndReason } };
    const group = (await memoryGroups())?.make(limits.memory_bytes);
    // A terminal runs beside the commands of its sandbox.
    const socket = command.terminal ? `${randomBytes(4).toString('hex')}.sock` : 'proxy.sock';
    const proxy = network && open ? await openProxy(join(directory, 'run', socket), open) : undefined;
    let killed: EndReason | undefined;
    pipes ??= makePipes();
    const as = shown && { uid: owner.uid, namespace: await shown.namespace(), directory: join(visibleRootPath, ref) };
    const launched = await launch(
      {
        directory,
        as,
        procs: group?.procs,
        ...{ node, forwarder, network, socket, wheels, hidden, filter, limits, inherited, pipes },
      },
      command,
    ).catch(async (error) => {
      await proxy?.close();
      await group?.remove();
      throw error;
    });
    const kill = (reason: EndReason) => {
      killed ??= reason;
      launched.kill();
    };
    const abort = () => kill(signal.reason as EndReason);
    signal.addEventListener('abort', abort);
    // The signal may have aborted while bubblewrap was starting.
    if (signal.aborted) abort();
    running.add(launched);
    const before = usages.get(ref);
    const count = watchdog.watch({ pid: launched.pid, work, before, memory_held: group !== undefined, limits, kill });
    let counted = false;
    try {
      let last = '';
      for await (const output of mergeOutput(launched.stdout, launched.stderr)) {
        if ('data' in output && output.stream === 'stderr') last = Buffer.from(output.data).toString('latin1');
        yield output;
      }
      const { exit_code, began } = await launched.ended.catch((error: Error) => {
        throw new EngineFailed(`bubblewrap can't be started: ${error.message}`);
      });
      if (!began && !killed) throw new EngineFailed(`bubblewrap did not start: ${last.trim().slice(-300)}`);
      const { usage, reason } = await count();
      usages.set(ref, usage);
      counted = true;
      yield { ended: endOf(exit_code, killed ?? reason, group, usage) };
    } finally {
      // Also when the caller has stopped reading.
      signal.removeEventListener('abort', abort);
      launched.kill();
      launched.stdout.resume();
      launched.stderr.resume();
      // A failed start was reported above.
      await launched.ended.catch(() => {});
      running.delete(launched);
      // The usage is only a cache here; the next command counts again.
      if (!counted) await count().catch(() => {});
      await proxy?.close();
      // The kernel takes a moment to release a group; the caller does not wait for it.
      if (group) leave(group);
    }
  }

  function endOf(
    code: number | null,
    reason: EndReason | undefined,
    group: MemoryGroup | undefined,
    usage: Usage,
  ): Ended {
    if (reason) return { exit_code: null, reason };
    // A process was killed for memory, so the exit code of the command does not count.
    if (group?.wasExceeded()) return { exit_code: null, reason: 'memory' };
    if (code === cpuSignal) return { exit_code: null, reason: 'cpu' };
    // Some programs ignore the signal and fail at the write instead.
    if (code === fileSizeSignal || (code !== 0 && usage.largest >= limits.file_bytes))
      return { exit_code: null, reason: 'file_size' };
    return { exit_code: code, reason: 'exit' };
  }

  const driver: SandboxDriver = {
    engine: 'bubblewrap',
    has_terminals: hasTerminalPrograms(),

    async create({ id, network }) {
      const { marks, run, work } = await makeDirectories(root, id, isRoot ? uidOf(id) : undefined);
      await mkdir(run, { mode: 0o711 });
      if (network) await marks.set('network');
      if (network) networked.add(id);
      usages.set(id, await counter.measure(work, limits.inodes));
      return id;
    },

    start: async (ref) => void (await stat(paths(ref).work).catch(goneIfMissing)),
    stop: async () => {},

    async destroy(ref) {
      usages.delete(ref);
      networked.delete(ref);
      await destroyDirectory(root, ref);
    },

    exec,

    files: localFiles({
      ...{ limits, counter },
      workOf: (ref) => paths(ref).work,
      chown: isRoot,
      onChange: (ref) => usages.delete(ref),
    }),

    snapshots: localSnapshots({
      ...{ root, limits, chown: isRoot },
      create: (spec) => driver.create(spec),
      destroy: (ref) => driver.destroy(ref),
      onChange: (ref) => usages.delete(ref),
    }),

    probe: async () =>
      selfTest({
        root,
        installation,
        hasFilter: filter !== undefined,
        hasNetwork: open !== undefined,
        memoryHeld: async () => (await memoryGroups()) !== undefined,
        hasNode: node !== undefined,
        driver,
      }),

    async close() {
      for (const launched of running) launched.kill();
      // The commands report their own failures.
      await Promise.all([...running].map((launched) => launched.ended.catch(() => {})));
      shown?.close();
      await Promise.all([...leaving, pipes?.close()]);
      await counter.close();
    },
  };
  return driver;
}
