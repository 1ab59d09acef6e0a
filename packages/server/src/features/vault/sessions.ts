import { LruCache } from '../../lib/lru-cache.ts';
import { type Lease, type VaultAccess, type VaultClient, VaultError } from './vault-client.ts';

/** How long a secret that was read is cached: a burst of uses reads it once, and a change is seen soon. */
const freshMs = 60_000;
const mostKept = 1000;

interface Session {
  lease: Lease;
  /** After this time the next use renews it; infinite for a lease without an end. */
  renew_at: number;
  ends_at: number;
}

function sessionOf(lease: Lease): Session {
  const ms = lease.seconds * 1000 || Number.POSITIVE_INFINITY;
  return { lease, renew_at: Date.now() + ms / 2, ends_at: Date.now() + ms * 0.95 };
}

const refused = (error: unknown) => error instanceof VaultError && error.status === 403;

/**
 * Keeps sessions with vaults and caches secrets for a moment. The key of a session changes with its credential, so that a
 * changed credential logs in again.
 */
export function makeVaultSessions(client: VaultClient) {
  const sessions = new LruCache<string, Promise<Session>>({ max: mostKept });
  const reads = new LruCache<string, { data: Promise<Record<string, unknown>>; at: number }>({ max: mostKept });

  function begin(key: string, access: VaultAccess): Promise<Session> {
    // A token that may not look itself up can still be used until the vault refuses it.
    const unknown = (error: unknown) => {
      if (access.auth_method === 'token' && refused(error))
        return { token: access.token ?? '', seconds: 0, renewable: false };
      throw error;
    };
    const session = client.login(access).catch(unknown).then(sessionOf);
    sessions.set(key, session);
    session.catch(() => sessions.delete(key));
    return session;
  }

  async function renewed(key: string, access: VaultAccess, session: Session): Promise<Session> {
    if (Date.now() < session.renew_at) return session;
    if (!session.lease.renewable) return Date.now() < session.ends_at ? session : begin(key, access);
    try {
      const next = sessionOf(await client.renew(access, session.lease.token));
      // Near its maximum lifetime a lease is renewed only for the rest of it, so log in again.
      if (next.lease.seconds * 2 < session.lease.seconds && access.auth_method === 'approle') return begin(key, access);
      sessions.set(key, Promise.resolve(next));
      return next;
    } catch {
      return begin(key, access);
    }
  }

  const sessionFor = async (key: string, access: VaultAccess) =>
    renewed(key, access, await (sessions.get(key) ?? begin(key, access)));

  async function read(key: string, access: VaultAccess, path: string): Promise<Record<string, unknown>> {
    const { lease } = await sessionFor(key, access);
    try {
      return await client.read(access, lease.token, path);
    } catch (error) {
      // The vault may have ended the token before its time; a role can get another.
      if (!refused(error) || access.auth_method === 'token') throw error;
      return client.read(access, (await begin(key, access)).lease.token, path);
    }
  }

  return {
    read(key: string, access: VaultAccess, path: string): Promise<Record<string, unknown>> {
      const place = `${key} ${path}`;
      const kept = reads.get(place);
      if (kept && Date.now() - kept.at < freshMs) return kept.data;
      const data = read(key, access, path);
      reads.set(place, { data, at: Date.now() });
      data.catch(() => reads.delete(place));
      return data;
    },
  };
}
