import type { Db } from '../../db/database.ts';
import { containsText } from '../../db/list-query.ts';
import { replanEachTime, sql } from '../../db/sql.ts';

/** Workflows that have a step with this text in its id or name. */
export const workflowsWithStep = (db: Db, workspace_id: string, q: string, limit: number) =>
  db.rows<{ id: string; name: string; definition: string }>(sql`
    select w.id, w.name, g.definition
    from workflow_graphs g join workflows w on w.workspace_id = g.workspace_id and w.graph_id = g.id
    where g.workspace_id = ${workspace_id} and g.replaced_at is null and w.deleted_at is null
      and ${containsText(sql`g.step_names`, q)}
    order by w.id desc limit ${limit}${replanEachTime}`);
