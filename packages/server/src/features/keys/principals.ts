import { hash } from 'node:crypto';
import { allows, type Permission, permissionsGranting } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { Principal } from '../../lib/scope.ts';
import { intersectPermissions } from './effective-permissions.ts';
import * as store from './store.ts';

interface Entry {
  principal: Principal;
  expires_at: number;
  read_at: number;
}

const keepFor = 30_000;
const keepMost = 10_000;

/** Turns credentials into principals. */
export interface Principals {
  /** The principal of a valid API key; undefined when there is none. */
  principalOf(credential: string): Promise<Principal | undefined>;
  /** Whether a key, or one that it was rotated to, is still valid and holds a permission of a workspace. */
  keyHolds(workspace_id: string, key_id: string, permission: Permission): Promise<boolean>;
  hasWorkspace(tenant_id: string, workspace_id: string): Promise<boolean>;
  /** Writes when keys were last used; done every ten seconds. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The one place that turns a credential into a principal. It caches keys for a moment and drops the cache when the
 * notifier reports a change of keys on any node. While the notifier does not listen, it caches nothing.
 */
export function makePrincipals({ db, notifier, log }: { db: Database; notifier: Notifier; log: Log }): Principals {
  const known = new LruCache<string, Entry>({ max: keepMost });
  let used = new Map<string, Date>();
  /** Rises with every change: a key that was read before a change is not cached after it. */
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
    const permissions = new Set(intersectPermissions(key.permissions, key.owner_permissions));
    const ofOthers = allows(new Set(key.owner_permissions), 'conversations_read');
    const behind = [...(key.line ? [key.line] : []), key.owner_id, ...key.known_to];
    const principal: Principal = {
      tenant_id: key.tenant_id,
      workspace_id: key.workspace_id,
      home_workspace_id: key.workspace_id,
      actor: { kind: 'api_key', id: key.id, name: key.name, ...(key.line && { line: key.line }), behind },
      ...(key.person_id && { person_id: key.person_id }),
      ...(key.person_id && !ofOthers && { own_conversations: true }),
      ...(!key.person_id && key.record_owner_id && { record_owner_id: key.record_owner_id }),
      ...(!key.person_id && key.reach === 'workspace' && { wide_reach: true }),
      owner_id: key.owner_id,
      permissions,
      tenant_admin: key.tenant_admin && permissions.has('org:admin'),
      rate_limit: key.rate_limit,
    };
    const expires_at = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
    return { principal, expires_at, read_at: Date.now() };
  }

  return {
    async principalOf(credential) {
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

    keyHolds: (workspace_id, key_id, permission) =>
      store.keyHolds(db, workspace_id, key_id, permissionsGranting(permission)),

    hasWorkspace: (tenant_id, workspace_id) => store.hasWorkspace(db, tenant_id, workspace_id),

    flush,

    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
