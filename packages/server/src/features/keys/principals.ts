import { hash } from 'node:crypto';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { sql } from '../../db/sql.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { Principal } from '../../lib/scope.ts';
import * as store from './store.ts';

interface Entry {
  principal: Principal;
  expires_at: number;
  read_at: number;
}

const keepFor = 30_000;
const keepMost = 10_000;

/**
 * The one place that turns a credential into a principal. What it read is kept for a moment and forgotten when the
 * bell says that keys changed, on whichever node; while the bell can't be heard nothing is kept.
 */
export function makePrincipals({ db, notifier, log }: { db: Database; notifier: Notifier; log: Log }) {
  const known = new LruCache<string, Entry>({ max: keepMost });
  let used = new Map<string, Date>();
  /** Rises with every change: what was read before a change is not kept after it. */
  let generation = 0;
  const forget = () => {
    generation++;
    known.clear();
  };
  notifier.on('keys', forget);
  notifier.onMissed(forget);

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    await store.markUsed(db, batch).catch((error) => log.warn('last_used_at was not written', errorFields(error)));
  }
  const timer = setInterval(() => void flush(), 10_000).unref();

  async function read(digest: Buffer): Promise<Entry | undefined> {
    const key = await store.resolveKey(db, digest);
    if (!key) return undefined;
    const principal: Principal = {
      tenant_id: key.tenant_id,
      workspace_id: key.workspace_id,
      home_workspace_id: key.workspace_id,
      actor: { kind: 'api_key', id: key.id, name: key.name, ...(key.line && { behind: [key.line] }) },
      permissions: new Set(key.permissions),
      tenant_admin: key.tenant_admin,
      rate_limit: key.rate_limit,
    };
    const expires_at = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
    return { principal, expires_at, read_at: Date.now() };
  }

  return {
    async principalOf(credential: string): Promise<Principal | undefined> {
      const name = hash('sha256', credential, 'base64');
      const now = Date.now();
      let entry = known.get(name);
      if (!entry || now - entry.read_at > keepFor || !notifier.isListening) {
        const before = generation;
        entry = await read(Buffer.from(name, 'base64'));
        if (entry && before === generation && notifier.isListening) known.set(name, entry);
      }
      if (!entry || entry.expires_at <= now) return undefined;
      used.set(entry.principal.actor.id, new Date(now));
      return entry.principal;
    },

    /** Whether a key, or one that it was rotated to, is still valid and holds a permission of a workspace. */
    keyHolds: (workspace_id: string, key_id: string, permission: Permission) =>
      store.keyHolds(db, workspace_id, key_id, [permission, 'workspace_admin', 'org:admin']),

    hasWorkspace: async (tenant_id: string, workspace_id: string) =>
      (await db.row(sql`select 1 from workspaces where tenant_id = ${tenant_id} and id = ${workspace_id}`)) !==
      undefined,

    flush,

    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
