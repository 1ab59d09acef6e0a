import type { ActorName } from '@atrium/contract/actor.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The view `actors` has people, keys, triggers and deployments. */
export const findActors = (db: Db, tenant_id: string, ids: readonly string[]) =>
  db.rows<ActorName>(sql`
    select id, name, kind from actors where tenant_id = ${tenant_id} and id = any(${ids}::uuid[])`);
