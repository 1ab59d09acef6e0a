import { randomBytes } from 'node:crypto';
import { notFound } from '@atrium/contract/errors.ts';
import type { ScimToken, ScimTokenCreate } from '@atrium/contract/scim/schema.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Principal, Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import * as store from './token-store.ts';

/** The tokens that directories come with. */
export interface ScimTokens {
  list(scope: Scope): Promise<ScimToken[]>;
  create(scope: Scope, input: ScimTokenCreate): Promise<ScimToken>;
  revoke(scope: Scope, id: string): Promise<void>;
  /** Who comes with a token; it holds no permission, and acts in no workspace. */
  principalOfScimToken(token: string): Promise<Principal | undefined>;
}

const prefix = 'atd_';

export const makeScimTokens = ({ db }: { db: Database }): ScimTokens => ({
  list: (scope) => store.listTokens(db, scope.tenant_id),

  async create(scope, { name, adopts }) {
    const value = `${prefix}${randomBytes(32).toString('base64url')}`;
    const row = {
      id: newId(),
      tenant_id: scope.tenant_id,
      name,
      adopts,
      hash: hashOf(value),
      hint: `${value.slice(0, 8)}…`,
    };
    return db.write(scope, async (on) => ({ ...(await store.insertToken(on, row)), value }));
  },

  async revoke(scope, id) {
    await db.write(scope, async (on) => {
      if (!(await store.deleteToken(on, scope.tenant_id, id))) throw notFound('SCIM token');
    });
  },

  async principalOfScimToken(token) {
    if (!token.startsWith(prefix)) return undefined;
    const found = await store.resolveToken(db, hashOf(token));
    return (
      found && {
        ...{ tenant_id: found.tenant_id, workspace_id: '', home_workspace_id: '', tenant_admin: false },
        actor: { kind: 'system', id: found.id, name: `SCIM ${found.name}` },
        permissions: new Set(),
      }
    );
  },
});
