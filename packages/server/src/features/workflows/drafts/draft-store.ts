import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export const setDraft = (db: Db, workspace_id: string, id: string, graph_id: string) =>
  db.run(sql`
    update workflows set draft_graph_id = ${graph_id}, draft_by = current_actor(), draft_at = now()
    where workspace_id = ${workspace_id} and id = ${id}`);

export const setDraftValid = (db: Db, workspace_id: string, id: string, valid: boolean) =>
  db.run(sql`
    update workflows set draft_valid = ${valid}
    where workspace_id = ${workspace_id} and id = ${id} and draft_valid <> ${valid}`);

export const clearDraft = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update workflows set draft_graph_id = null, draft_valid = false, draft_by = null, draft_at = null, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id}`);
