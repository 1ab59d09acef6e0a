import type { AnswerOf } from '@atrium/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { useClient } from '../../api/session.ts';
import { takeTurn } from './pace-requests.ts';
import { type Range, rangeBefore } from './range.ts';

type Client = ReturnType<typeof useClient>;
export type Overview = AnswerOf<'analytics.overview'>;
export type Group = Overview['metrics'][number]['groups'][number];
export type ConversationFilter = Overview['conversations'];
type Analytics = AnswerOf<'analytics.get'>;
export type Grouping = 'topic' | 'agent' | 'channel' | 'tool' | 'person' | 'version';
type Metric = 'conversations' | 'cost' | 'csat' | 'time_to_first_token';

/** Whose figures, and of which time. */
export interface Scope {
  client: Client;
  workspace: string;
  agentId: string | undefined;
  range: Range;
}

const timesOf = ({ start, end }: Range) => ({ time_start: start, time_end: end });
const agentOf = ({ agentId }: Scope) => (agentId ? { agent_id: agentId } : {});
const keyOf = ({ workspace, agentId, range }: Scope) => [workspace, 'insights', agentId, range.start, range.end];
/** Figures are added up every minute. */
const common = { staleTime: 60_000, placeholderData: keepPreviousData } as const;

async function paced<T>(ask: () => Promise<T>): Promise<T> {
  await takeTurn();
  return ask();
}

const troubles = 'failures,guardrail_violations,knowledge_searches_without_answer';

/** All figures of the page with those of the time before. */
export const overviewQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf(scope), 'overview'],
    queryFn: () =>
      paced(() =>
        scope.client.analytics.overview({
          metrics: `conversations,csat,cost,${troubles}`,
          ...timesOf(scope.range),
          ...agentOf(scope),
        }),
      ),
  });

/** The figures by group; a tool has calls alone. */
export const groupsQuery = (scope: Scope, group: Grouping) =>
  queryOptions({
    // Rows of another group are never shown under this one's name.
    staleTime: common.staleTime,
    queryKey: [...keyOf(scope), 'groups', group],
    queryFn: () =>
      paced(() =>
        scope.client.analytics.overview({
          metrics: group === 'tool' ? 'tool_calls' : `conversations,cost,${troubles}`,
          group_by: group,
          page_size: 20,
          ...timesOf(scope.range),
          ...agentOf(scope),
        }),
      ),
  });

/** A figure for each hour or day. */
export const seriesQuery = (scope: Scope, metric: Metric, statistic: 'average' | 'p95' = 'average') =>
  queryOptions({
    ...common,
    queryKey: [...keyOf(scope), 'series', metric, statistic],
    queryFn: async () => {
      const times = { ...timesOf(scope.range), ...agentOf(scope) };
      const answer = await paced(() => scope.client.analytics.get(metric, { interval: 'auto', statistic, ...times }));
      return answer.type === 'barchart' ? answer.value : [];
    },
  });

/** Conversations for each hour or day, by agent. */
export const byAgentQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf(scope), 'by-agent'],
    queryFn: async () => {
      const times = timesOf(scope.range);
      const answer = await paced(() =>
        scope.client.analytics.get('conversations', { group_by: 'agent', interval: 'auto', page_size: 200, ...times }),
      );
      return answer.type === 'table' ? answer.value.rows : [];
    },
  });

/** How long 95 of 100 answers waited for their first word, in milliseconds, now and in the time before. */
export const firstWordQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf(scope), 'first-word'],
    queryFn: async () => {
      const ask = async (range: Range) => {
        const query = { ...timesOf(range), ...agentOf(scope), interval: 'none', statistic: 'p95' } as const;
        return simple(await paced(() => scope.client.analytics.get('time_to_first_token', query)));
      };
      return { value: await ask(scope.range), before: await ask(rangeBefore(scope.range)) };
    },
  });
const simple = (answer: Analytics): number | null => (answer.type === 'simple' ? answer.value : null);

/** What each model cost, and the tokens of those that were called without a cost: no price is known, or it is zero. */
export const costByModelQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf(scope), 'cost-by-model'],
    queryFn: async () => {
      const query = { group_by: 'model', ...timesOf(scope.range), ...agentOf(scope) } as const;
      const ask = async (metric: 'cost' | 'tokens') => {
        const answer = await paced(() => scope.client.analytics.get(metric, query));
        return answer.type === 'horizontal-barchart' ? answer.value.filter(({ value }) => (value ?? 0) > 0) : [];
      };
      const [costs, tokens] = await Promise.all([ask('cost'), ask('tokens')]);
      const priced = new Set(costs.map(({ id }) => id));
      return { costs, unpriced: tokens.filter(({ id }) => id !== null && !priced.has(id)) };
    },
  });
