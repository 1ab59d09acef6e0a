import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  IdentityProvider,
  IdentityProviderCreate,
  IdentityProviderPatch,
  IdentityProviderTest,
} from '@atrium/contract/identity-providers/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { type OpenId, OpenIdFailed } from '../../../drivers/openid/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Keyring } from '../../keyring/service.ts';
import { changeRightsOf } from '../change-rights.ts';
import { requireHeld } from '../grants.ts';
import type { RoleLookup, WorkspaceLookup } from '../ports.ts';
import { deleteSessionsOf } from './identity-store.ts';
import { listPeopleFrom, takeAllOf, takeUnmapped } from './membership-store.ts';
import * as store from './provider-store.ts';

/** The identity providers of an organization, for its administrators. */
export interface IdentityProviders {
  list(scope: Scope): Promise<IdentityProvider[]>;
  get(scope: Scope, id: string): Promise<IdentityProvider>;
  create(scope: Scope, input: IdentityProviderCreate): Promise<IdentityProvider>;
  update(scope: Scope, id: string, patch: IdentityProviderPatch): Promise<IdentityProvider>;
  remove(scope: Scope, id: string): Promise<void>;
  test(scope: Scope, id: string): Promise<IdentityProviderTest>;
}

export const identityProviderPurpose = (id: string) => `identity provider ${id}`;
const mask = '********';

export interface ProviderAddresses {
  redirectUri(provider_id: string): string;
  /** Where browsers come to after they have signed out at a provider. */
  signedOutUri: string;
}

export const makeProviderAddresses = (public_url: string): ProviderAddresses => ({
  redirectUri: (provider_id) => `${public_url}/v1/auth/oidc/${provider_id}/callback`,
  signedOutUri: `${public_url}/`,
});

type Membership = Record<'group_id' | 'role_id', string>;
const toRow = ({ group_id, role_id }: Membership) => ({ workspace_id: group_id, role_id });
const toMembership = ({ workspace_id, role_id }: store.MappingRow) => ({ group_id: workspace_id, role_id });

const targetOf = ({ id, name }: IdentityProvider) => ({ kind: 'identity_provider', id, name });
/** What the audit log says of a provider; each mapping as one text, and the secret only as changed. */
const auditedFields = ({ mappings, default_membership, ...provider }: IdentityProvider) => ({
  ...omit(provider, ['id', 'redirect_uri', 'post_logout_redirect_uri']),
  mappings: mappings.map(({ claim, value, group_id, role_id }) => `${claim}=${value}: ${role_id} in ${group_id}`),
  default_membership: default_membership && `${default_membership.role_id} in ${default_membership.group_id}`,
});

export function makeIdentityProviders(deps: {
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  openid: OpenId;
  roles: RoleLookup;
  workspaces: WorkspaceLookup;
  addresses: ProviderAddresses;
}): IdentityProviders {
  const { db, notifier, secrets, openid, roles, workspaces, addresses } = deps;

  const show = (row: store.ProviderRow, mappings: readonly store.MappingRow[]): IdentityProvider => {
    const { tenant_id: _, client_secret, ...shown } = row;
    const fallback = mappings.find(({ claim }) => claim === null);
    return {
      ...shown,
      client_secret: client_secret === null ? null : mask,
      mappings: mappings.flatMap((mapping) =>
        mapping.claim === null || mapping.value === null
          ? []
          : { claim: mapping.claim, value: mapping.value, ...toMembership(mapping) },
      ),
      default_membership: fallback ? toMembership(fallback) : null,
      redirect_uri: addresses.redirectUri(row.id),
      post_logout_redirect_uri: addresses.signedOutUri,
    };
  };

  async function find(on: Db, scope: Scope, id: string): Promise<store.ProviderRow> {
    const row = await store.findProvider(on, scope.tenant_id, id);
    if (!row) throw notFound('identity provider');
    return row;
  }

  /** Every workspace and role of a mapping is the organization's own, and the caller holds what it gives. */
  async function checkMappings(tx: Db, scope: Scope, rows: readonly store.MappingRow[]): Promise<void> {
    for (const { workspace_id, role_id } of rows) {
      await workspaces.reach(scope, workspace_id);
      requireHeld(scope, await roles.lockForMembers(tx, scope.tenant_id, workspace_id, role_id));
    }
  }

  const rowsOf = (
    mappings: IdentityProviderCreate['mappings'],
    fallback: Membership | null | undefined,
  ): store.MappingRow[] => [
    ...mappings.map(({ claim, value, ...membership }) => ({ claim, value, ...toRow(membership) })),
    ...(fallback ? [{ claim: null, value: null, ...toRow(fallback) }] : []),
  ];

  async function uniquely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isDuplicate(error) ? taken() : error;
    }
  }
  const taken = () => conflict('There is a provider of this name or issuer', 'identity_provider_taken');

  async function requireFreeName(tx: Db, row: store.NewProvider): Promise<void> {
    if (await store.hasName(tx, row)) throw taken();
  }

  /** Changes what a provider gives; people who hold less or more afterwards have to sign in again. */
  const changeGrants = async <T>(tx: Db, provider_id: string, work: () => Promise<T>): Promise<T> =>
    changeRightsOf({ tx, notifier }, await listPeopleFrom(tx, provider_id), work);

  async function endProviderSessions(tx: Db, provider_id: string): Promise<void> {
    await deleteSessionsOf(tx, provider_id);
    await notifier.notify(tx, 'keys');
  }

  return {
    async list(scope) {
      const mappings = Map.groupBy(await store.listMappingsOf(db, scope.tenant_id), ({ provider_id }) => provider_id);
      return (await store.listProviders(db, scope.tenant_id)).map((row) => show(row, mappings.get(row.id) ?? []));
    },

    async get(scope, id) {
      return show(await find(db, scope, id), await store.listMappings(db, id));
    },

    async create(scope, { mappings, default_membership, client_secret, ...input }) {
      const id = newId();
      const rows = rowsOf(mappings, default_membership);
      // Before anything is sealed: a refused request changes nothing, not even the keys.
      await db.transaction(undefined, (tx) => checkMappings(tx, scope, rows));
      const box =
        client_secret === undefined
          ? null
          : await secrets.seal(scope.tenant_id, identityProviderPurpose(id), client_secret);
      return uniquely(() =>
        db.transaction(scope, async (tx) => {
          await checkMappings(tx, scope, rows);
          const given = { ...input, id, tenant_id: scope.tenant_id, client_secret: box };
          await requireFreeName(tx, given);
          const row = await store.insertProvider(tx, given);
          await store.replaceMappings(tx, row, rows);
          const made = show(row, rows);
          scope.audit?.note({ target: targetOf(made), after: auditedFields(made) });
          return made;
        }),
      );
    },

    async update(scope, id, { mappings, default_membership, remove_default_membership, client_secret, ...patch }) {
      await find(db, scope, id);
      const isNewSecret = client_secret !== undefined && client_secret !== mask;
      const box = isNewSecret
        ? await secrets.seal(scope.tenant_id, identityProviderPurpose(id), client_secret)
        : undefined;
      const updated = await uniquely(() =>
        db.transaction(scope, async (tx) => {
          const before = await store.lockProvider(tx, scope.tenant_id, id);
          if (!before) throw notFound('identity provider');
          const isMoved = patch.issuer !== undefined && patch.issuer !== before.issuer;
          if (isMoved && before.client_secret !== null && box === undefined)
            throw invalid(['body', 'issuer'], 'another issuer needs the client_secret to be given again', patch.issuer);
          const known = show(before, await store.listMappings(tx, id));
          const fallback = remove_default_membership ? null : (default_membership ?? known.default_membership);
          const rows = rowsOf(mappings ?? known.mappings, fallback);
          if (mappings || default_membership) await checkMappings(tx, scope, rows);
          const after = { ...before, ...omitUndefined(patch), client_secret: box ?? before.client_secret };
          await requireFreeName(tx, after);
          const row = await store.updateProvider(tx, after);
          await changeGrants(tx, id, async () => {
            await store.replaceMappings(tx, row, rows);
            await takeUnmapped(tx, id);
          });
          if (before.enabled && !row.enabled) await endProviderSessions(tx, id);
          const stored = show(row, rows);
          const shownAfter = { ...auditedFields(stored), ...(isNewSecret && { client_secret: 'new' }) };
          scope.audit?.note({ target: targetOf(stored), before: auditedFields(known), after: shownAfter });
          return stored;
        }),
      );
      notifier.notifyLocal('keys');
      return updated;
    },

    async remove(scope, id) {
      await db.transaction(scope, async (tx) => {
        const before = await store.lockProvider(tx, scope.tenant_id, id);
        if (!before) throw notFound('identity provider');
        const known = show(before, await store.listMappings(tx, id));
        scope.audit?.note({ target: targetOf(known), before: auditedFields(known), after: null });
        await changeGrants(tx, id, () => takeAllOf(tx, id));
        await endProviderSessions(tx, id);
        await store.deleteProvider(tx, scope.tenant_id, id);
      });
      notifier.notifyLocal('keys');
    },

    async test(scope, id) {
      const { issuer, client_id } = await find(db, scope, id);
      try {
        const found = await openid.discover({ issuer, client_id, client_secret: null });
        return { success: true, message: 'The provider was found', ...found };
      } catch (error) {
        if (!(error instanceof OpenIdFailed)) throw error;
        const message = `The provider can not be used: ${error.message}`;
        return { success: false, message, authorization_endpoint: null, end_session_endpoint: null };
      }
    },
  };
}

const omitUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
