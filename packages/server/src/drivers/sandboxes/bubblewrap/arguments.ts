import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { Command, Limits } from '../driver.ts';
import { wheelPrograms, wheelsAt, wheelVariables } from '../wheels.ts';
import { maskArguments } from './masks.ts';
import { terminalProgram } from './terminal/terminal-program.ts';

/** Descriptors that bubblewrap inherits. */
export const fds = { args: 3, seccomp: 4, status: 5, passwd: 6, hosts: 7 } as const;

export const passwd = 'sandbox:x:1000:1000:sandbox:/work:/bin/bash\n';
export const hosts = '127.0.0.1 localhost sandbox\n::1 localhost\n';

/**
 * The paths of our own Node inside the sandbox, of the program that leads from its loopback to the proxy, and of the
 * proxy's socket.
 */
const [nodeAt, forwarderAt, socketAt] = ['/opt/bin/node', '/opt/forward.ts', '/run/proxy.sock'];
const proxyPort = 3128;
const shared = 64 * 1024 * 1024;

export interface Place {
  /** Contains `work`, and `run` with the socket of the proxy. */
  directory: string;
  /** A Node binary that other users can run too. */
  node: string | undefined;
  forwarder: string;
  network: boolean;
  /** The name of the proxy's socket. */
  socket: string;
  /** The folder of Python wheels that the sandbox may read. */
  wheels: string | undefined;
  /** Paths of this machine that the sandbox must not see. */
  hidden: readonly string[];
  /** Set when the sandbox runs as another user. */
  as?: unknown;
}

const systemPath = '/opt/bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';
const systemDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** `/bin` and similar are links into /usr on merged systems and directories on others. */
function systemLinks(): string[] {
  return systemDirectories.flatMap((path) => {
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
}

const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/ssl/certs'];

/** Everything is closed unless it is opened here. The system can be read; only `/work` and `/tmp` can be written. */
export function bubblewrapArguments(place: Place, command: Command): string[] {
  const env: Record<string, string> = {
    PATH: place.wheels === undefined ? systemPath : `${systemPath}:${wheelPrograms('/work')}`,
    HOME: '/work',
    USER: 'sandbox',
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    ...(place.network && proxyVariables()),
    ...(place.wheels !== undefined && wheelVariables({ home: '/work', network: place.network })),
  };
  return [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--disable-userns', '--cap-drop', 'ALL'],
    ['--die-with-parent', '--new-session', '--clearenv'],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ['--ro-bind', '/usr', '/usr', ...systemLinks()],
    systemFiles.flatMap((path) => ['--ro-bind-try', path, path]),
    // Must come after all arguments that show parts of this machine.
    maskArguments(place.hidden, ['/usr', ...systemDirectories, ...systemFiles], place.as !== undefined),
    ['--ro-bind-data', String(fds.passwd), '/etc/passwd', '--ro-bind-data', String(fds.hosts), '/etc/hosts'],
    ['--proc', '/proc', '--dev', '/dev'],
    ['--size', String(shared), '--tmpfs', '/dev/shm', '--size', String(shared), '--perms', '1777', '--tmpfs', '/tmp'],
    place.node ? ['--ro-bind', place.node, nodeAt] : [],
    place.wheels === undefined ? [] : ['--ro-bind', place.wheels, wheelsAt],
    place.network ? ['--ro-bind', place.forwarder, forwarderAt] : [],
    place.network ? ['--bind', `${place.directory}/run/${place.socket}`, socketAt] : [],
    ['--bind', `${place.directory}/work`, '/work'],
    // bubblewrap's root and /dev lie in memory; if they were writable, files there would not be counted.
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', `/work/${command.cwd}`],
    ['--seccomp', String(fds.seccomp), '--json-status-fd', String(fds.status)],
  ].flat();
}

function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  return Object.fromEntries(
    ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, proxy] as const),
  );
}

const interpreters: Record<Command['language'], readonly string[]> = {
  bash: ['bash', '-c'],
  python: ['python3', '-c'],
  javascript: ['node', '-e'],
};

function interpreterOf({ language, code, env }: Command): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Set last: a PATH or LD_PRELOAD of the caller must not affect the programs that set the limits.
  return [...(variables.length ? ['env', ...variables] : []), ...interpreters[language], code];
}

/**
 * The limits of single processes, set inside the namespace. There the processes of a user are counted for each user
 * namespace; outside, all sandboxes of a user would share the count.
 */
export function programOf(command: Command, limits: Limits, network: boolean, sizesFd: number): string[] {
  const around = network ? [nodeAt, forwarderAt, socketAt, String(proxyPort)] : [];
  const address = Math.max(limits.memory_bytes * 8, 4 * 1024 ** 3);
  return [
    'prlimit',
    `--nproc=${limits.processes}`,
    `--fsize=${limits.file_bytes}`,
    // One second between the signal that gives the reason and the one that can't be ignored.
    `--cpu=${limits.cpu_seconds}:${limits.cpu_seconds + 1}`,
    // A program may reserve much more memory than it uses, as Node does.
    ...(command.language === 'javascript' ? [] : [`--as=${address}`]),
    '--nofile=256',
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
    '--',
    ...(command.terminal
      ? terminalProgram(sizesFd, command.terminal.size, around)
      : [...around, ...interpreterOf(command)]),
  ];
}
