import type { Metric } from '@atrium/contract/analytics/schema.ts';
import type { Db } from '../../db/database.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';

export type ConversationGrouping = 'channel' | 'topic' | 'tool';

/** What the facts of conversations tell: a sum, or the total and count of an average. */
const columns: Partial<Record<Metric, { n: Sql; total: Sql | null }>> = {
  conversations: { n: sql`conversations`, total: null },
  runs: { n: sql`runs`, total: null },
  failures: { n: sql`failures`, total: null },
  latency: { n: sql`latency_n`, total: sql`latency` },
  time_to_first_token: { n: sql`ttft_n`, total: sql`ttft` },
  tokens: { n: sql`input_tokens + output_tokens`, total: null },
  input_tokens: { n: sql`input_tokens`, total: null },
  output_tokens: { n: sql`output_tokens`, total: null },
  cost: { n: sql`cost`, total: null },
  guardrail_violations: { n: sql`violations`, total: null },
  tool_calls: { n: sql`tool_calls`, total: null },
  knowledge_searches_without_answer: { n: sql`searches_without_answer`, total: null },
};

export const hasConversationFigures = (metric: Metric, group: ConversationGrouping) =>
  group === 'tool' ? metric === 'tool_calls' : columns[metric] !== undefined;

const sources: Record<ConversationGrouping, { from: Sql; key: Sql }> = {
  channel: { from: sql`conversation_facts`, key: sql`channel` },
  topic: { from: sql`conversation_topic_facts`, key: sql`topic_id::text` },
  tool: { from: sql`tool_call_facts`, key: sql`tool` },
};

export interface WantedGroups {
  metric: Metric;
  group: ConversationGrouping;
  agent_id: string | undefined;
  from: string;
  to: string;
  limit: number;
}

/** The groups with a figure, the largest first. */
export function listConversationFigures(db: Db, workspace_id: string, wanted: WantedGroups) {
  const { metric, group, agent_id, from, to, limit } = wanted;
  const { n, total } = (group === 'tool' ? { n: sql`1`, total: null } : columns[metric]) ?? { n: sql`0`, total: null };
  const value = total ? sql`sum(${total})::float8 / sum(${n})::float8` : sql`sum(${n})::float8`;
  return db.rows<{ key: string | null; value: number }>(sql`
    select ${sources[group].key} as key, ${value} as value from ${sources[group].from}
    where workspace_id = ${workspace_id} and at >= ${from} and at < ${to}
      ${agent_id === undefined ? nothing : sql`and agent_id = ${agent_id}`}
    group by 1 having sum(${n}) <> 0 order by 2 desc, 1 limit ${limit}`);
}
