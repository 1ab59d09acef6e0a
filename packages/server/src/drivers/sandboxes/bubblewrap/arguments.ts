import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { Command, Limits } from '../driver.ts';
import { maskArguments } from './masks.ts';

/** Descriptors that bubblewrap inherits. */
export const fds = { args: 3, seccomp: 4, status: 5, passwd: 6, hosts: 7 } as const;

export const passwd = 'sandbox:x:1000:1000:sandbox:/work:/bin/bash\n';
export const hosts = '127.0.0.1 localhost sandbox\n::1 localhost\n';

/** Where the sandbox finds our own Node, and what leads from its loopback to the proxy outside. */
const [nodeAt, forwarderAt, socketAt] = ['/opt/bin/node', '/opt/forward.ts', '/run/proxy.sock'];
const proxyPort = 3128;
const shared = 64 * 1024 * 1024;

export interface Place {
  /** Holds `work`, and `run` with the socket of the proxy. */
  directory: string;
  /** A Node that others than the server's user can run too. */
  node: string | undefined;
  forwarder: string;
  network: boolean;
  /** Paths of this machine that the sandbox must not see. */
  hidden: readonly string[];
  /** It runs as another user than we are. */
  as?: unknown;
}

const systemDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** `/bin` and its like are links into /usr on merged systems and directories on others. */
function systemLinks(): string[] {
  return systemDirectories.flatMap((path) => {
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
}

const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/ssl/certs'];

/** Everything is closed unless it is opened here. The system is there to be read, and only `/work` and `/tmp` can be written. */
export function bubblewrapArguments(place: Place, command: Command): string[] {
  const env: Record<string, string> = {
    PATH: '/opt/bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
    HOME: '/work',
    USER: 'sandbox',
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    ...(place.network && proxyVariables()),
  };
  return [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--disable-userns', '--cap-drop', 'ALL'],
    ['--die-with-parent', '--new-session', '--clearenv'],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ['--ro-bind', '/usr', '/usr', ...systemLinks()],
    systemFiles.flatMap((path) => ['--ro-bind-try', path, path]),
    // After everything that shows something of this machine.
    maskArguments(place.hidden, ['/usr', ...systemDirectories, ...systemFiles], place.as !== undefined),
    ['--ro-bind-data', String(fds.passwd), '/etc/passwd', '--ro-bind-data', String(fds.hosts), '/etc/hosts'],
    ['--proc', '/proc', '--dev', '/dev'],
    ['--size', String(shared), '--tmpfs', '/dev/shm', '--size', String(shared), '--perms', '1777', '--tmpfs', '/tmp'],
    place.node ? ['--ro-bind', place.node, nodeAt] : [],
    place.network ? ['--ro-bind', place.forwarder, forwarderAt] : [],
    place.network ? ['--bind', `${place.directory}/run/proxy.sock`, socketAt] : [],
    ['--bind', `${place.directory}/work`, '/work'],
    // bubblewrap's own root and /dev lie in memory: left writable they would be room that nobody counts.
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

/**
 * Limits of single processes, set inside the namespace: the number of processes of one user is counted for each user
 * namespace there, while outside all sandboxes of a user would share it.
 */
export function programOf(command: Command, limits: Limits, network: boolean): string[] {
  const variables = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
  const address = Math.max(limits.memory_bytes * 8, 4 * 1024 ** 3);
  return [
    'prlimit',
    `--nproc=${limits.processes}`,
    `--fsize=${limits.file_bytes}`,
    // A second between the signal that tells why and the one that can't be ignored.
    `--cpu=${limits.cpu_seconds}:${limits.cpu_seconds + 1}`,
    // A program may reserve much more than it uses; node does.
    ...(command.language === 'javascript' ? [] : [`--as=${address}`]),
    '--nofile=256',
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
    '--',
    ...(network ? [nodeAt, forwarderAt, socketAt, String(proxyPort)] : []),
    // Only now: a PATH or LD_PRELOAD of the caller's would decide what runs before the limits are set.
    ...(variables.length ? ['env', ...variables] : []),
    ...interpreters[command.language],
    command.code,
  ];
}
