import { forbidden, notFound } from '@atrium/contract/errors.ts';
import { type Permission, permissionsGranting } from '@atrium/contract/permissions.ts';
import type { Database } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { type Principal, secondFactorRequired } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import type { WorkspaceLookup } from '../ports.ts';
import { listRights, personHolds } from '../store.ts';
import * as store from './store.ts';

/** A workspace that a person may act in. */
export interface Membership {
  workspace_id: string;
  name: string;
  permissions: readonly Permission[];
}

const keepFor = 30_000;

interface Entry {
  session: store.ResolvedSession;
  memberships: readonly Membership[];
  read_at: number;
}

/** Turns session tokens into principals. */
export interface SessionPrincipals {
  /** The session of a token and its workspaces; undefined unless it is valid now. */
  find(token: string): Promise<Pick<Entry, 'session' | 'memberships'> | undefined>;
  /**
   * The person of a token in a workspace, or in the usual one. Undefined for a token that is not valid now. `isUse` false:
   * the session is not used by it.
   */
  principalOfSession(token: string, workspace_id?: string, isUse?: boolean): Promise<Principal | undefined>;
  /** The person of a token, for operations about themselves; it need not be a member of a workspace. */
  personOfSession(token: string): Promise<Principal | undefined>;
  /** Whether a person is active and holds a permission in a workspace. */
  personHolds(workspace_id: string, person_id: string, permission: Permission): Promise<boolean>;
  membershipsOf(person: Pick<store.ResolvedSession, 'person_id' | 'tenant_id'>): Promise<Membership[]>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sessions are cached for a moment and forgotten when keys, people, roles or workspaces change on any node. While the notifier does
 * not listen, nothing is cached.
 */
export function makeSessionPrincipals(deps: {
  db: Database;
  notifier: Notifier;
  log: Log;
  workspaces: WorkspaceLookup;
  idle_seconds: number;
}): SessionPrincipals {
  const { db, notifier, log, workspaces, idle_seconds } = deps;
  const known = new LruCache<string, Entry>({ max: 10_000 });
  let used = new Map<string, number>();
  /** Rises with every change: a session read before a change is not cached after it. */
  let generation = 0;
  const forget = () => {
    generation++;
    known.clear();
  };
  notifier.on('keys', forget);
  // Administrators of the organization act in a new workspace at once.
  notifier.on('workspaces', forget);
  notifier.onMissed(forget);

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    const times = [...batch.values()].map((time) => new Date(time));
    await store
      .markUsed(db, [...batch.keys()], times)
      .catch((error) => log.warn('sessions.use-not-written', errorFields(error)));
  }
  const timer = setInterval(() => void flush(), 10_000).unref();

  const membershipsOf: SessionPrincipals['membershipsOf'] = async ({ person_id, tenant_id }) => {
    const [held, names] = await Promise.all([listRights(db, person_id), workspaces.names(tenant_id)]);
    return held.map((place) => ({ ...place, name: names.get(place.workspace_id) ?? '' }));
  };

  async function read(token: string): Promise<Entry | undefined> {
    const session = await store.resolveSession(db, hashOf(token));
    return session && { session, memberships: await membershipsOf(session), read_at: Date.now() };
  }

  /** Whether a session has run out, by what this node knows of it. */
  function isOver({ session }: Entry, now: number): boolean {
    const last = Math.max(Date.parse(session.used_at), used.get(session.id) ?? 0);
    return Date.parse(session.expires_at) <= now || last + idle_seconds * 1000 <= now;
  }

  async function find(token: string, isUse = true): Promise<Entry | undefined> {
    const name = hashOf(token).toString('base64');
    const now = Date.now();
    let entry = known.get(name);
    // A session that looks idle is read again: it may have been used since, through another node.
    if (!entry || now - entry.read_at > keepFor || !notifier.isListening || isOver(entry, now)) {
      const before = generation;
      entry = await read(token);
      if (entry && before === generation && notifier.isListening) known.set(name, entry);
    }
    if (!entry || isOver(entry, now)) return undefined;
    if (isUse) used.set(entry.session.id, now);
    return entry;
  }

  return {
    find: (token) => find(token),
    membershipsOf,

    async personOfSession(token) {
      const entry = await find(token);
      return entry && principalIn(entry.session, entry.memberships[0]);
    },

    personHolds: (workspace_id, person_id, permission) =>
      personHolds(db, workspace_id, person_id, permissionsGranting(permission)),

    async principalOfSession(token, workspace_id, isUse) {
      const entry = await find(token, isUse);
      if (!entry) return undefined;
      const { session, memberships } = entry;
      if (session.must_enrol) throw secondFactorRequired();
      const place =
        workspace_id === undefined ? memberships[0] : memberships.find((one) => one.workspace_id === workspace_id);
      if (!place) throw workspace_id === undefined ? withoutWorkspace() : notFound('workspace');
      return principalIn(session, place);
    },

    flush,

    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The person in one of their workspaces; without one they may do nothing but look after themselves. */
const principalIn = (session: store.ResolvedSession, place: Membership | undefined): Principal => ({
  ...{ tenant_id: session.tenant_id, tenant_admin: session.tenant_admin, session_id: session.id },
  ...{ workspace_id: place?.workspace_id ?? '', home_workspace_id: place?.workspace_id ?? '' },
  person_id: session.person_id,
  owner_id: session.person_id,
  actor: { kind: 'person', id: session.person_id, name: session.name },
  permissions: new Set(place?.permissions),
  ...{ rate_limit: session.rate_limit, stream_limit: session.stream_limit },
  ...(session.must_enrol && { must_enrol: true }),
});

const withoutWorkspace = () => forbidden('This person is a member of no workspace', 'no_workspace');
