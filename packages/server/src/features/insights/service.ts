import type { Csat, CustomInsights, TopTopics, TopTopicsQuery } from '@atrium/contract/insights/schema.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import { readSettings } from '../agents/service.ts';
import { listCustomAnswers } from './analysis-store.ts';
import { scoresOf } from './csat-store.ts';
import type { TopicSorting } from './topics/topic-sorting.ts';

export { conversationsAbout } from './topics/topic-store.ts';

/** Figures about the conversations of an agent. */
export interface Insights {
  topTopics(scope: Scope, agent_id: string, query: TopTopicsQuery): Promise<TopTopics>;
  csat(scope: Scope, agent_id: string, days: number): Promise<Csat>;
  /** The questions that the published settings ask, and those that were asked before and have answers. */
  custom(scope: Scope, agent_id: string, days: number): Promise<CustomInsights>;
}

const max_answers = 50;
const sources = ['user', 'agent', 'judge'] as const;

function averageOf(figures: readonly { score: number; count: number }[]) {
  const count = figures.reduce((sum, one) => sum + one.count, 0);
  const total = figures.reduce((sum, one) => sum + one.score * one.count, 0);
  return { average: count ? total / count : null, count };
}

export function makeInsightsService(deps: { db: Database; agents: Agents; topics: TopicSorting }): Insights {
  const { db, agents, topics } = deps;
  return {
    async topTopics(scope, agent_id, query) {
      const agent = await agents.get(scope, agent_id);
      return { topics: await topics.top({ workspace_id: scope.workspace_id, agent_id: agent.id }, query) };
    },

    async csat(scope, agent_id, days) {
      const agent = await agents.get(scope, agent_id);
      const figures = await scoresOf(db, scope.workspace_id, agent.id, days);
      return {
        ...averageOf(figures),
        distribution: [1, 2, 3, 4, 5].map(
          (score) => averageOf(figures.filter((figure) => figure.score === score)).count,
        ),
        by_source: sources.map((source) => ({
          source,
          ...averageOf(figures.filter((figure) => figure.source === source)),
        })),
      };
    },

    async custom(scope, agent_id, days) {
      const agent = await agents.get(scope, agent_id);
      const rows = await listCustomAnswers(db, scope.workspace_id, agent.id, days);
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
            average: averageOf(numbers).average,
            answers: own.slice(0, max_answers).map(({ answer, count }) => ({ answer, count })),
          };
        }),
      };
    },
  };
}
