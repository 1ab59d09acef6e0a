import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** What the calls of the last 24 hours say about a provider. `name` is the part of its models' names before the slash. */
interface ProviderFigures {
  name: string;
  calls: number;
  failed: number;
  /** Calls of the last 15 minutes that had a first token. */
  recent_calls: number;
  /** The median time to the first token, of the last 15 minutes and of the time before. */
  recent_ms: number | null;
  usual_ms: number | null;
}

interface FailingModel {
  model: string;
  failing_since: string;
}

const listProviderFigures = (db: Db, workspaces: readonly string[]) =>
  db.rows<ProviderFigures>(sql`
    with called as (
      select split_part(c.model, '/', 1) as name, c.status, c.ttft_ms, c.at >= now() - interval '15 minutes' as recent
      from model_calls c
      where c.workspace_id = any(${workspaces}::uuid[]) and c.at >= now() - interval '24 hours')
    select name, count(*)::int as calls, (count(*) filter (where status = 'failed'))::int as failed,
      count(ttft_ms) filter (where recent)::int as recent_calls,
      round(percentile_cont(0.5) within group (order by ttft_ms) filter (where recent))::int as recent_ms,
      round(percentile_cont(0.5) within group (order by ttft_ms) filter (where not recent))::int as usual_ms
    from called group by name`);

/** Models of which the last calls in a workspace failed, one of them in the last 24 hours; once each. */
const listFailingModels = (db: Db, workspaces: readonly string[]) =>
  db.rows<FailingModel>(sql`
    select h.model, min(h.failing_since) as failing_since
    from model_health h
    where h.workspace_id = any(${workspaces}::uuid[]) and h.failing_since is not null
      and exists (select from model_calls c
        where c.workspace_id = h.workspace_id and c.model = h.model and c.at >= now() - interval '24 hours')
    group by h.model order by h.model`);

/** What the calls of these workspaces say about the providers. */
export async function readCallsOfProviders(db: Db, workspaces: readonly string[]) {
  const [providers, failing] = await Promise.all([
    listProviderFigures(db, workspaces),
    listFailingModels(db, workspaces),
  ]);
  return { providers, failing };
}
