import type {
  AnalyticsAnswer,
  ConversationFilter,
  Metric,
  OverviewAnswer,
  OverviewQuery,
} from '@atrium/contract/analytics/schema.ts';
import { invalid } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { type ConversationFigures, factsKeptFor, isOfConversations } from './conversation-figures.ts';
import type { Figures } from './service.ts';

export type Overview = (scope: Scope, query: OverviewQuery) => Promise<OverviewAnswer>;

const hour = 3_600_000;
const day = 24 * hour;
/** PostgreSQL takes earlier times in another spelling only. */
const earliest = Date.parse('0001-01-02T00:00:00Z');
/** Groups by version and person have whole days only beyond these; see the service. */
const exactUpTo = 7 * day;

type Span = { start: number; end: number };
const timesOf = ({ start, end }: Span) => ({
  time_start: new Date(start).toISOString(),
  time_end: new Date(end).toISOString(),
});
const figureIn = (answer: AnalyticsAnswer) => (answer.type === 'simple' ? answer.value : null);
const groupsOf = (answer: AnalyticsAnswer) => (answer.type === 'horizontal-barchart' ? answer.value : []);

const filterKeys = {
  ...{ agent: 'assistant_id', version: 'assistant_version_id', person: 'person_id' },
  ...{ channel: 'channel', topic: 'topic_id' },
} as const;

/** Returns several figures with those of the period before, and the way from each to its conversations. */
export const makeOverview =
  ({ admit, compute }: Pick<Figures, 'admit' | 'compute'>, ofConversations: ConversationFigures): Overview =>
  async (scope, { metrics, time_start, time_end, group_by, agent_id, page_size }) => {
    const asked = [...new Set(metrics.split(','))] as [Metric, ...Metric[]];
    const common = { interval: 'none', statistic: 'average', agent_id, page: 1, page_size } as const;
    const by = isOfConversations(group_by) ? 'none' : group_by;
    if (isOfConversations(group_by)) ofConversations.requireKnown(asked, group_by, time_start);
    await admit(scope, asked[0], { ...common, time_start, time_end, group_by: by });
    const long = by !== 'none' && by !== 'agent' && Date.parse(time_end) - Date.parse(time_start) > exactUpTo;
    // Both periods begin and end where figures do, so that no fact counts in both.
    const unit = long ? day : hour;
    const now: Span = {
      start: Math.floor(Date.parse(time_start) / unit) * unit,
      end: Math.ceil(Date.parse(time_end) / unit) * unit,
    };
    const past: Span = { start: now.start - (now.end - now.start), end: now.start };
    if (past.start < earliest)
      throw invalid(['query', 'time_start'], 'the period before should begin in the year 1 or later', time_start);
    const range = timesOf(now);
    const filter: ConversationFilter = {
      ...(agent_id !== undefined && { assistant_id: agent_id }),
      ...{ created_after: range.time_start, created_before: range.time_end },
    };

    async function figureOf(metric: Metric): Promise<OverviewAnswer['metrics'][number]> {
      const ask = (span: Span, split: typeof by, size = page_size) =>
        compute(scope, metric, { ...common, ...timesOf(span), group_by: split, page_size: size });
      /** The groups of a period; none where some of its facts are gone. */
      async function groupsIn(span: Span, size: number) {
        if (!isOfConversations(group_by)) return groupsOf(await ask(span, by, size));
        if (span.start < Date.now() - factsKeptFor - hour) return [];
        const { time_start: from, time_end: to } = timesOf(span);
        return ofConversations.list(scope, { metric, group: group_by, agent_id, from, to, limit: size });
      }
      const [value, before] = [figureIn(await ask(now, 'none')), figureIn(await ask(past, 'none'))];
      if (group_by === 'none') return { metric, value, before, groups: [] };
      const earlier = new Map((await groupsIn(past, 200)).map((group) => [group.id, group.value]));
      const groups = (await groupsIn(now, page_size)).map((group) => ({
        ...group,
        before: earlier.get(group.id) ?? null,
        ...(group_by === 'tool'
          ? { conversations: null, ...(group.id !== null && { tool_calls: { ...filter, tool: group.id } }) }
          : { conversations: group.id === null ? null : { ...filter, [filterKeys[group_by]]: group.id } }),
      }));
      return { metric, value, before, groups };
    }

    const figures: OverviewAnswer['metrics'] = [];
    // One after another: a page of figures must not take all connections.
    for (const metric of asked) figures.push(await figureOf(metric));
    return { ...range, before_start: timesOf(past).time_start, conversations: filter, metrics: figures };
  };
