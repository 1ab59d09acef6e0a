import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { storedTextOrNull } from '../../db/stored-text/stored-text.ts';

export interface NewScore {
  /** The id of the score; another score with the same id replaces it. */
  id: string;
  conversation_id: string;
  source: 'user' | 'agent' | 'judge';
  score: number;
  /** A sentence without private values. */
  reason: string | null;
}

/** Deletes a score and subtracts it from the figures. */
const taken = (workspace_id: string, id: string) => sql`
  before as (
    delete from csat_scores where workspace_id = ${workspace_id} and id = ${id}
    returning conversation_id, agent_id, version_id, score, at),
  less as (
    insert into csat_facts (workspace_id, at, agent_id, version_id, actor_kind, actor_id, user_id, n, total)
    select ${workspace_id}, b.at, b.agent_id, b.version_id, 'api_key', c.api_key_id, c.user_id, -1, -b.score
    from before b left join conversations c on c.workspace_id = ${workspace_id} and c.id = b.conversation_id)`;

export const dropScore = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`with ${taken(workspace_id, id)} select 1 from before`);

/** Stores a score in place of the earlier one with the same id. */
export async function putScore(db: Db, workspace_id: string, given: NewScore): Promise<void> {
  await dropScore(db, workspace_id, given.id);
  await db.run(sql`
    with put as (
      insert into csat_scores (workspace_id, id, conversation_id, agent_id, version_id, source, score, reason)
      select ${workspace_id}, ${given.id}, c.id, c.assistant_id, c.assistant_version_id, ${given.source},
        ${given.score}::smallint, ${storedTextOrNull('csat_scores.reason', workspace_id, given.id, given.reason)}::text
      from conversations c
      where c.workspace_id = ${workspace_id} and c.id = ${given.conversation_id} and not c.preview
      returning agent_id, version_id, score, at)
    insert into csat_facts (workspace_id, at, agent_id, version_id, actor_kind, actor_id, user_id, n, total)
    select ${workspace_id}, p.at, p.agent_id, p.version_id, 'api_key', c.api_key_id, c.user_id, 1, p.score
    from put p, conversations c where c.workspace_id = ${workspace_id} and c.id = ${given.conversation_id}`);
}

export interface CsatFigures {
  source: string;
  score: number;
  count: number;
}

/** How often each score was given by each source. */
export const scoresOf = (db: Db, workspace_id: string, agent_id: string, days: number) =>
  db.rows<CsatFigures>(sql`
    select source, score, count(*) as count from csat_scores
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} and at > now() - make_interval(days => ${days}::int)
    group by source, score order by source, score`);
