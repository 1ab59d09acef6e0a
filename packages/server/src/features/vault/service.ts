import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type {
  VaultCredential,
  VaultCredentialCreate,
  VaultCredentialPatch,
  VaultTest,
} from '@atrium/contract/vault/schema.ts';
import { type Database, isDuplicate } from '../../db/database.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { newId } from '../../lib/ids.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import type { TypedAddresses } from '../typed-addresses/service.ts';
import { makeVaultSessions } from './sessions.ts';
import * as store from './store.ts';
import { makeVaultClient, type VaultAccess, VaultError } from './vault-client.ts';

export { VaultError } from './vault-client.ts';

/** Credentials of vaults, and the secrets that are read with them. */
export interface Vaults {
  list(scope: Scope, query: PageQuery & ListFilter): Promise<Paged<VaultCredential>>;
  get(scope: Scope, id: string): Promise<VaultCredential>;
  create(scope: Scope, input: VaultCredentialCreate): Promise<VaultCredential>;
  update(scope: Scope, id: string, input: VaultCredentialPatch): Promise<VaultCredential>;
  remove(scope: Scope, id: string): Promise<void>;
  /** Logs in, the cheapest request that needs valid secrets. */
  test(scope: Scope, id: string): Promise<VaultTest>;
  exists(scope: Scope, id: string): Promise<boolean>;
  /** The secret at a path, read now or within the last minute. Throws VaultError. */
  read(scope: Scope, id: string, path: string): Promise<Record<string, unknown>>;
}

export const secretsPurpose = (id: string) => `vault ${id}`;

type Secrets = Pick<VaultAccess, 'token' | 'secret_id'>;
type Draft = Omit<store.NewCredential, 'id' | 'secrets'> & Secrets;

const maskedSecret = '********';
const covered = (text: string | null) => (text === null ? null : maskedSecret);
/** A mask that comes back is no new secret. */
const givenSecret = (text: string | undefined) => (text === maskedSecret ? undefined : text);

/** Refuses a credential that lacks what its method needs. */
function checkComplete({ auth_method, token, secret_id, role_id }: Draft): void {
  const needs = (field: string) => invalid(['body', field], `${auth_method} needs a ${field}`, null);
  if (auth_method === 'token' && token === null) throw needs('token');
  if (auth_method === 'approle' && role_id === null) throw needs('role_id');
  if (auth_method === 'approle' && secret_id === null) throw needs('secret_id');
}

const targetOf = ({ id, name }: { id: string; name: string }) => ({ kind: 'vault_credential', id, name });

async function uniquely<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicate(error) ? conflict(`There is already a vault credential named ${name}`) : error;
  }
}

/** The secrets of credentials are stored sealed and never returned. */
export function makeVaults(deps: {
  db: Database;
  keyring: Keyring;
  web: Web;
  typedAddresses: TypedAddresses;
  /** The names of the variables that are read with a credential. */
  usedBy(scope: Scope, id: string): Promise<string[]>;
}): Vaults {
  const { db, keyring, typedAddresses } = deps;
  const client = makeVaultClient(deps.web);
  const sessions = makeVaultSessions(client);

  async function find(scope: Scope, id: string): Promise<store.CredentialRow> {
    const row = await store.findCredential(db, scope.workspace_id, id);
    if (!row) throw notFound('vault credential');
    return row;
  }

  const secretsOf = async ({ group_id, id, secrets }: store.CredentialRow): Promise<Secrets> =>
    parseStored<Secrets>(await keyring.open(group_id, secretsPurpose(id), secrets));

  async function shown(row: store.CredentialRow): Promise<VaultCredential> {
    const { token, secret_id } = await secretsOf(row);
    return { ...omit(row, ['secrets']), token: covered(token), secret_id: covered(secret_id) };
  }

  async function rowOf(scope: Scope, id: string, draft: Draft): Promise<store.NewCredential> {
    checkComplete(draft);
    const { token, secret_id, ...rest } = draft;
    // Only the secret of the method in use is kept.
    const kept: Secrets = draft.auth_method === 'token' ? { token, secret_id: null } : { token: null, secret_id };
    return { ...rest, id, secrets: await keyring.seal(scope.workspace_id, secretsPurpose(id), JSON.stringify(kept)) };
  }

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listCredentials(db, scope.workspace_id, query, window);
      return pageAnswer(await Promise.all(rows.map(shown)), total, window, last);
    },

    get: async (scope, id) => shown(await find(scope, id)),

    async create(scope, input) {
      typedAddresses.requireReachable(input.address, ['body', 'address']);
      const row = await rowOf(scope, newId(), {
        ...input,
        namespace: input.namespace ?? null,
        role_id: input.role_id ?? null,
        token: input.token ?? null,
        secret_id: input.secret_id ?? null,
      });
      return uniquely(row.name, () =>
        db.write(scope, async (on) => {
          const after = await shown(await store.insertCredential(on, scope.workspace_id, row));
          scope.audit?.note({ target: targetOf(after), after });
          return after;
        }),
      );
    },

    async update(scope, id, input) {
      const patch = { ...input, token: givenSecret(input.token), secret_id: givenSecret(input.secret_id) };
      const before = await find(scope, id);
      typedAddresses.requireReachable(patch.address, ['body', 'address'], before.address);
      const rest = omit(before, ['id', 'group_id', 'created_at', 'updated_at', 'etag', 'secrets']);
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const draft: Draft = { ...rest, ...(await secretsOf(before)), ...given };
      // A caller that may change a credential must not learn its secret by having it sent to another address.
      const secret = draft.auth_method === 'token' ? 'token' : 'secret_id';
      if (draft.address !== before.address && patch[secret] === undefined)
        throw invalid(['body', 'address'], `another address needs the ${secret} to be given again`, draft.address);
      const row = await rowOf(scope, id, draft);
      return uniquely(row.name, () =>
        db.write(scope, async (on) => {
          const stored = await store.updateCredential(on, scope.workspace_id, row);
          if (!stored) throw notFound('vault credential');
          const after = await shown(stored);
          // The masks are alike; that a new secret was given is told apart.
          const isNew = patch.token !== undefined || patch.secret_id !== undefined;
          scope.audit?.note({
            ...{ target: targetOf(after), before: { ...(await shown(before)), secret: false } },
            after: { ...after, secret: isNew },
          });
          return after;
        }),
      );
    },

    async remove(scope, id) {
      await find(scope, id);
      const names = await deps.usedBy(scope, id);
      if (names.length > 0)
        throw conflict(`These variables are read with this credential: ${names.join(', ')}`, 'in_use');
      await db.write(scope, (on) => store.deleteCredential(on, scope.workspace_id, id));
    },

    async test(scope, id) {
      const row = await find(scope, id);
      const access = { ...row, ...(await secretsOf(row)) };
      const started = Date.now();
      const report = (success: boolean, status: number | null, message: string) => ({
        success,
        ms: Date.now() - started,
        status,
        message,
      });
      try {
        await client.login(access, scope.signal);
        return report(true, 200, 'The vault accepts this credential');
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        return report(false, error.status, `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`);
      }
    },

    exists: async (scope, id) => (await store.findCredential(db, scope.workspace_id, id)) !== undefined,

    async read(scope, id, path) {
      const row = await find(scope, id);
      const access = { ...row, ...(await secretsOf(row)) };
      return sessions.read(`${row.group_id} ${id} ${row.updated_at}`, access, path);
    },
  };
}
