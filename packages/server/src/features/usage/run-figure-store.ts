import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface RunFigureRow {
  run_id: string;
  assistant_id: string | null;
  agent_name: string | null;
  assistant_version_id: string | null;
  version_number: number | null;
  person_id: string | null;
  trigger_id: string | null;
  actor_id: string | null;
  parent_run_id: string | null;
  model_calls: number;
  tokens: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost: number | null;
}

/** Whom runs of either kind belong to, and what their model calls have used. */
export const listRunFigures = (db: Db, workspace_id: string, run_ids: readonly string[]) =>
  db.rows<RunFigureRow>(sql`
    select l.run_id, l.assistant_id, l.agent_name, l.assistant_version_id, l.version_number, l.person_id, l.trigger_id,
      l.actor_id, l.parent_run_id, coalesce(t.calls, 0) as model_calls, coalesce(t.tokens, 0) as tokens,
      coalesce(t.input_tokens, 0) as input_tokens, coalesce(t.cached_tokens, 0) as cached_tokens,
      coalesce(t.output_tokens, 0) as output_tokens, coalesce(t.reasoning_tokens, 0) as reasoning_tokens, t.cost
    from run_labels l left join run_totals t on t.workspace_id = l.workspace_id and t.run_id = l.run_id
    where l.workspace_id = ${workspace_id} and l.run_id = any(${[...run_ids]}::uuid[])`);
