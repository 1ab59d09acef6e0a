import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type BoxKey, boxKey, newBoxKey, open, seal } from '../../lib/sealed-box.ts';

export interface TenantSecrets {
  seal(tenant_id: string, purpose: string, plain: string): Promise<string>;
  open(tenant_id: string, purpose: string, box: string): Promise<string>;
}

const wrapContext = (tenant_id: string) => `tenant key\0${tenant_id}`;
const context = (tenant_id: string, purpose: string) => `${tenant_id}\0${purpose}`;

/**
 * The keyring for what belongs to a tenant and not to one of its workspaces: a workspace that is deleted takes its data
 * key along, and the providers of all the others must not go with it.
 */
export function makeTenantSecrets(db: Database, master: BoxKey): TenantSecrets {
  const known = new Map<string, Promise<BoxKey>>();

  async function load(tenant_id: string): Promise<BoxKey> {
    const read = () => db.row<{ wrapped: string }>(sql`select wrapped from tenant_keys where tenant_id = ${tenant_id}`);
    let row = await read();
    if (!row) {
      const wrapped = seal(master, wrapContext(tenant_id), newBoxKey().secret);
      await db.run(
        sql`insert into tenant_keys (tenant_id, wrapped) values (${tenant_id}, ${wrapped}) on conflict do nothing`,
      );
      row = await read();
    }
    return boxKey(open(master, wrapContext(tenant_id), row?.wrapped ?? ''));
  }

  function keyOf(tenant_id: string): Promise<BoxKey> {
    const cached = known.get(tenant_id);
    if (cached) return cached;
    const loading = load(tenant_id);
    known.set(tenant_id, loading);
    loading.catch(() => known.delete(tenant_id));
    return loading;
  }

  return {
    seal: async (tenant_id, purpose, plain) => seal(await keyOf(tenant_id), context(tenant_id, purpose), plain),
    open: async (tenant_id, purpose, box) => open(await keyOf(tenant_id), context(tenant_id, purpose), box).toString(),
  };
}
