import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, EngineFailed, type Limits, type TerminalHandle } from '../driver.ts';
import { bubblewrapArguments, fds, hosts, type Place, passwd, programOf } from './arguments.ts';
import type { Pipes } from './pipes.ts';
import { treeOf } from './processes.ts';
import { canRun } from './sandbox-uid.ts';
import { makeSizeWriter } from './terminal/size-writer.ts';

export interface Launch {
  /** The sandbox's directory, as the server sees it. */
  directory: string;
  /** The user that root becomes, and where that user finds the directory; undefined when we are not root. */
  as: { uid: number; namespace: string; directory: string } | undefined;
  /** The `cgroup.procs` file of the group to join. */
  procs: string | undefined;
  node: string | undefined;
  forwarder: string;
  network: boolean;
  /** The name of the proxy's socket. */
  socket: string;
  wheels: string | undefined;
  /** Paths of this machine that the sandbox must not see. */
  hidden: readonly string[];
  filter: Buffer;
  limits: Limits;
  inherited: Inherited;
  pipes: Pipes;
}

export interface Launched {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  kill(): void;
  /** The exit code is null when the program was killed or never started. */
  ended: Promise<{ exit_code: number | null; began: boolean }>;
}

const closeOnExec = 0o2000000;

const inGroup = 'echo $$ > "$1" || exit 125; shift; exec "$@"';

/** bubblewrap makes no promises for uid 0, so root becomes a user of the sandbox's own first. */
function commandLine({ as, procs }: Launch, bubblewrap: string[]): string[] {
  const user = as ? ['nsenter', `--mount=${as.namespace}`, '--setuid', `${as.uid}`, '--setgid', `${as.uid}`, '--'] : [];
  const group = procs === undefined ? [] : ['sh', '-c', inGroup, 'sh', procs];
  return [...group, ...user, ...bubblewrap];
}

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const ownPipes = 8;

/** Searched each time, so that it can be installed while the server runs. */
function bubblewrapPath(): string {
  const directories = `${process.env.PATH ?? ''}:${systemPath}`.split(':');
  const found = directories
    .map((directory) => join(directory, 'bwrap'))
    .find((path) => isAbsolute(path) && canRun(path));
  if (!found) throw new EngineFailed('ENOENT: there is no bwrap');
  return found;
}

export interface Inherited {
  covered: readonly ('ignore' | number)[];
}

/**
 * Descriptors that our parent process left open are inherited by every child, and bubblewrap would pass them to the
 * code inside. They are replaced by /dev/null.
 */
export function coverInherited(): Inherited {
  const open = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? '';
      return Number.parseInt(flags, 8) & closeOnExec ? [] : [Number(name)];
    } catch {
      return [];
    }
  });
  const left = open.filter((fd) => fd >= ownPipes);
  if (left.length === 0) return { covered: [] };
  const nothing = openSync('/dev/null', 'r');
  const last = Math.max(...left);
  return {
    covered: Array.from({ length: last - ownPipes + 1 }, (_, index) =>
      left.includes(index + ownPipes) ? nothing : 'ignore',
    ),
  };
}

/** Writes everything to a pipe. The child may close it unread when the start fails, which is reported elsewhere. */
function feed(child: ChildProcess, fd: number, content: string | Buffer): void {
  const pipe = child.stdio[fd] as Writable;
  pipe.on('error', () => {});
  pipe.end(content);
}

/** What is typed goes to the terminal's input, and new sizes to a descriptor of their own. */
function terminalHandle(child: ChildProcess, sizesFd: number): TerminalHandle {
  const [typed, sizes] = [child.stdio[0], child.stdio[sizesFd]] as [Writable, Writable];
  // The terminal may end while something is written; its end is reported elsewhere.
  for (const pipe of [typed, sizes]) pipe.on('error', () => {});
  return {
    write: (text) => new Promise((resolve) => void typed.write(text, () => resolve())),
    resize: makeSizeWriter(sizes),
  };
}

/**
 * Processes in the sandbox die with bubblewrap, but only after it has asked the kernel for that, right before the
 * program runs. Until then they are killed by process id: as members of the process group, which bubblewrap leaves
 * shortly before, or as descendants.
 */
function killAll(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  for (const one of [...treeOf(pid).slice(1), -pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** The exit code in bubblewrap's status messages; present when the program was started and has ended. */
const exitCodeIn = (status: string) => /"exit-code"\s*:\s*(\d+)/.exec(status)?.[1];

export async function launch(options: Launch, command: Command): Promise<Launched> {
  const { as, directory, limits, network } = options;
  const { terminal } = command;
  const { pipes, inherited } = options;
  const sizesFd = ownPipes + inherited.covered.length;
  const place: Place = { ...options, directory: as?.directory ?? directory };
  const [program = '', ...args] = commandLine(options, [
    // Passed by a descriptor, since the argument list of a running program can be read from inside.
    ...[bubblewrapPath(), '--args', String(fds.args), '--'],
    ...programOf(command, limits, network, sizesFd),
  ]);
  const [stdout, stderr] = await Promise.all([pipes.output(), pipes.output()]);
  const standard = [terminal ? 'pipe' : pipes.input(command.stdin), stdout.theirs, stderr.theirs] as const;
  const own = Array<'pipe'>(ownPipes - standard.length).fill('pipe');
  const child = spawn(program, args, {
    cwd: '/',
    // The environment of the first process in the namespace can be read from inside too.
    env: { PATH: systemPath },
    detached: true,
    stdio: [...standard, ...own, ...inherited.covered, ...(terminal ? ['pipe' as const] : [])],
  });
  for (const fd of standard) if (fd !== 'pipe') closeSync(fd);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // `ended` reports the failure; without a reader it must not end the process.
  failed.catch(() => {});
  feed(child, fds.args, `${bubblewrapArguments(place, command).join('\0')}\0`);
  feed(child, fds.seccomp, options.filter);
  feed(child, fds.passwd, passwd);
  feed(child, fds.hosts, hosts);
  const status = text((child.stdio as unknown as Readable[])[fds.status] as Readable).catch(() => '');
  if (terminal) terminal.attach(terminalHandle(child, sizesFd));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid ?? 0,
    stdout: stdout.ours,
    stderr: stderr.ours,
    kill: () => killAll(child),
    ended: Promise.race([failed, closed]).then(async () => {
      const said = await status;
      const code = exitCodeIn(said);
      return { exit_code: code === undefined ? null : Number(code), began: said.includes('"child-pid"') };
    }),
  };
}
