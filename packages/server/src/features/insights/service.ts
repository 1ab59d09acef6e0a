import type { Csat, CustomInsights, TopTopicsQuery } from '@atrium/contract/insights/schema.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import { readSettings } from '../agents/service.ts';
import { scoresOf } from './csat-store.ts';
import type { TopicSorting } from './topics/topic-sorting.ts';

export type Insights = ReturnType<typeof makeInsightsService>;

const mostAnswers = 50;
const sources = ['user', 'agent', 'judge'] as const;

function averaged(figures: readonly { score: number; count: number }[]) {
  const count = figures.reduce((sum, one) => sum + one.count, 0);
  const total = figures.reduce((sum, one) => sum + one.score * one.count, 0);
  return { average: count ? total / count : null, count };
}

/** What was learnt from the conversations of an agent. */
export function makeInsightsService(deps: { db: Database; agents: Agents; topics: TopicSorting }) {
  const { db, agents, topics } = deps;
  return {
    async topTopics(scope: Scope, agent_id: string, query: TopTopicsQuery) {
      const agent = await agents.get(scope, agent_id);
      return { topics: await topics.top({ workspace_id: scope.workspace_id, agent_id: agent.id }, query) };
    },

    async csat(scope: Scope, agent_id: string, days: number): Promise<Csat> {
      const agent = await agents.get(scope, agent_id);
      const figures = await scoresOf(db, scope.workspace_id, agent.id, days);
      return {
        ...averaged(figures),
        distribution: [1, 2, 3, 4, 5].map(
          (score) => averaged(figures.filter((figure) => figure.score === score)).count,
        ),
        by_source: sources.map((source) => ({
          source,
          ...averaged(figures.filter((figure) => figure.source === source)),
        })),
      };
    },

    /** The questions that the published settings ask, and those that were asked before and have answers. */
    async custom(scope: Scope, agent_id: string, days: number): Promise<CustomInsights> {
      const agent = await agents.get(scope, agent_id);
      const rows = await db.rows<{ name: string; type: string; answer: string | number | boolean; count: number }>(sql`
        select name, max(type) as type, answer::jsonb as answer, count(*) as count from custom_insights
        where workspace_id = ${scope.workspace_id} and agent_id = ${agent.id}
          and at > now() - make_interval(days => ${days}::int)
        group by name, answer::jsonb order by name, count(*) desc, answer::jsonb`);
      const definitions = readSettings(agent.definition).insights_custom_definitions ?? [];
      const names = new Set([...definitions.map(({ name }) => name), ...rows.map(({ name }) => name)]);
      return {
        insights: [...names].map((name) => {
          const own = rows.filter((row) => row.name === name);
          const definition = definitions.find((one) => one.name === name);
          const numbers = own.flatMap(({ answer, count }) =>
            typeof answer === 'number' ? { score: answer, count } : [],
          );
          return {
            name,
            question: definition?.question ?? null,
            type: definition?.type ?? own[0]?.type ?? 'string',
            count: own.reduce((sum, { count }) => sum + count, 0),
            average: averaged(numbers).average,
            answers: own.slice(0, mostAnswers).map(({ answer, count }) => ({ answer, count })),
          };
        }),
      };
    },
  };
}
