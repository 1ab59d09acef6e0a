import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { cannotStart } from './cannot-start.ts';
import { initdb } from './initdb.ts';
import { handOver, type Privileges } from './privileges.ts';

/** Where things lie in the postgres directory. */
export function clusterPaths(dir: string) {
  return {
    dir,
    cluster: join(dir, 'cluster'),
    socket: join(dir, 'socket'),
    password: join(dir, 'password'),
    log: join(dir, 'server.log'),
  };
}

export type ClusterPaths = ReturnType<typeof clusterPaths>;

const draftPrefix = 'cluster-new-';
const initPasswordFile = 'initdb-password';

/** False where there is none yet; throws where it can't be opened by these binaries or this user. */
export function hasCluster(paths: ClusterPaths, version: string): boolean {
  const owner = statSync(paths.cluster, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) return false;
  const uid = process.getuid?.() ?? owner;
  if (uid !== 0 && uid !== owner) {
    throw cannotStart(`${paths.cluster} belongs to uid ${owner} and this is uid ${uid}. Run Atrium as its owner.`);
  }
  if (readdirSync(paths.cluster).length === 0) return false;
  let found: string;
  try {
    found = readFileSync(join(paths.cluster, 'PG_VERSION'), 'utf8').trim();
  } catch {
    throw cannotStart(`${paths.cluster} is not a PostgreSQL data directory (no PG_VERSION in it).`);
  }
  if (found === version) return true;
  throw cannotStart(
    `${paths.cluster} was made by PostgreSQL ${found}, and this Atrium brings PostgreSQL ${version}. Start the Atrium ` +
      `release that brings PostgreSQL ${found}, export the data there, and import it into a new data directory.`,
  );
}

/** Written before the cluster is made and never changed, so a cluster is never without its password. */
export function readPassword(paths: ClusterPaths): string | null {
  try {
    return readFileSync(paths.password, 'utf8').trim() || null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** What a kill during an earlier initdb left. */
export async function removeDrafts(paths: ClusterPaths): Promise<void> {
  for (const entry of await readdir(paths.dir)) {
    if (!entry.startsWith(draftPrefix) && entry !== initPasswordFile) continue;
    // That initdb may still be writing: it dies when its files go, and what it leaves is removed the next time.
    await rm(join(paths.dir, entry), { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

/** Made aside and renamed into place: a kill at any moment leaves either no cluster or a whole one. */
export async function createCluster(paths: ClusterPaths, native: string, privileges: Privileges): Promise<string> {
  const password = readPassword(paths) ?? randomBytes(32).toString('base64url');
  await writeDurably(paths.password, password);
  const passwordFile = join(paths.dir, initPasswordFile);
  const draft = await mkdtemp(join(paths.dir, draftPrefix));
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (privileges.owner) {
      await handOver(draft, privileges.owner);
      await chown(passwordFile, privileges.owner.uid, privileges.owner.gid);
    }
    await initdb({ cluster: draft, passwordFile: `../${initPasswordFile}`, log: paths.log, native, privileges });
    await rename(draft, paths.cluster);
    await syncDir(paths.dir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
  return password;
}

/** A copy or a restored backup may belong to another or be open to others, and PostgreSQL would refuse it. */
export async function repairOwnership(paths: ClusterPaths, privileges: Privileges): Promise<void> {
  if (privileges.owner) await handOver(paths.cluster, privileges.owner);
  await chmod(paths.cluster, 0o700);
}

/** The server's own, so that with an account of its own the rest of the directory stays ours. */
export async function prepareSocketDir(paths: ClusterPaths, privileges: Privileges): Promise<void> {
  // The account passes through to what is its own, and can list or change nothing else.
  await chmod(paths.dir, privileges.kind === 'account' ? 0o711 : 0o700);
  await mkdir(paths.socket, { recursive: true, mode: 0o700 });
  // No server of this cluster runs now. PostgreSQL would respect a leftover lock whose pid belongs to another process.
  for (const entry of await readdir(paths.socket)) await rm(join(paths.socket, entry), { force: true });
  if (privileges.owner) await handOver(paths.socket, privileges.owner);
  await chmod(paths.socket, 0o700);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

async function syncDir(path: string): Promise<void> {
  const dir = await open(path, 'r');
  await dir.sync().finally(() => dir.close());
}
