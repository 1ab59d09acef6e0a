import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { chown, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, hasName, unprivilegedAccount } from './accounts.ts';
import { cannotStart } from './cannot-start.ts';

/** How the binaries are run, since PostgreSQL refuses uid 0. */
export interface Privileges {
  kind: 'as-is' | 'namespace' | 'account';
  /** The required owner of the cluster and the socket directory; null: the present user. */
  owner: Account | null;
  /** What to call the working directory on the command line. */
  dataDirArgument(cwd: string): string;
  spawn(
    file: string,
    args: string[],
    options: { cwd: string; output: number | 'ignore'; detached?: true },
  ): ChildProcess;
}

/** `alsoAsk` is called with the privileges that are likely to be chosen, so that another question need not wait. */
export async function choosePrivileges(
  dir: string,
  only?: 'account',
  alsoAsk: (likely: Privileges) => void = () => {},
): Promise<Privileges> {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0 && (process.platform !== 'linux' || hasName())) return asIs;
  const account = unprivilegedAccount();
  if (uid === 0) await handOver(dir, { uid, gid: process.getgid?.() ?? 0 }, 'top');
  if (account && !only) {
    const namespace = inNamespace(account, uid);
    alsoAsk(namespace);
    // A namespace may be refused, or the way to the directory lead through someone else's private one.
    if (await passes(namespace, 'test -w "$1"', dir)) return namespace;
  }
  if (uid !== 0) return asIs;
  if (account) {
    const privileges = asAccount(account);
    if (await passes(privileges, 'true')) return privileges;
  }
  throw cannotStart(
    'PostgreSQL refuses to run as root, user namespaces are not available here (unshare --user), and no account ' +
      '"postgres" or "nobody" could be switched to. Run Atrium as an ordinary user.',
  );
}

/** Whether a shell test, run the way the server would be, passes; its arguments are "$1", "$2", … */
export function passes(privileges: Privileges, test: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = privileges.spawn('/bin/sh', ['-c', test, 'sh', ...args], { cwd: '/', output: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** The top goes last, so that its owner says whether the whole was handed over, even after a kill in between. */
export async function handOver(path: string, owner: Account, depth: 'top' | 'all' = 'all'): Promise<void> {
  if ((await lstat(path)).uid === owner.uid) return;
  if (depth === 'all') {
    for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), owner.uid, owner.gid);
  }
  await chown(path, owner.uid, owner.gid);
}

const asIs: Privileges = {
  kind: 'as-is',
  owner: null,
  dataDirArgument: (cwd) => cwd,
  spawn: (file, args, options) => start(file, args, options, {}),
};

// Inside we are an ordinary user; outside the files stay ours, so private directories above are no obstacle.
function inNamespace(account: Account, uid: number): Privileges {
  const mapping = ['--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  return {
    kind: 'namespace',
    owner: uid === 0 ? { uid: 0, gid: 0 } : null,
    dataDirArgument: (cwd) => cwd,
    spawn: (file, args, options) => start('unshare', [...mapping, file, ...args], options, {}),
  };
}

// The working directory is entered before the uid is given up, and /proc/self/cwd leads back to it without walking
// the path: the data directory may lie where the account couldn't go.
function asAccount(account: Account): Privileges {
  return {
    kind: 'account',
    owner: account,
    dataDirArgument: (cwd) => (process.platform === 'linux' ? '/proc/self/cwd' : cwd),
    spawn: (file, args, options) => start(file, args, options, account),
  };
}

function start(
  file: string,
  args: string[],
  options: { cwd: string; output: number | 'ignore'; detached?: true },
  more: SpawnOptions,
): ChildProcess {
  return spawn(file, args, {
    ...more,
    cwd: options.cwd,
    detached: options.detached ?? false,
    stdio: ['ignore', options.output, options.output],
    // Passes no API keys to the server's environment, and no PG* settings that would change its behaviour.
    env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
}
