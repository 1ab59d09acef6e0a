import * as z from 'zod';
import * as s from '../schema/schema.ts';

export const metrics = [
  'conversations',
  'messages',
  'runs',
  'failures',
  'latency',
  'time_to_first_token',
  'tokens',
  'input_tokens',
  'output_tokens',
  'cost',
  'csat',
  'guardrail_violations',
  'tool_calls',
  'knowledge_searches_without_answer',
] as const;
export type Metric = (typeof metrics)[number];

export const groupings = ['none', 'agent', 'version', 'model', 'user', 'key', 'person', 'workspace'] as const;
export type Grouping = (typeof groupings)[number];

export const analyticsParams = s.object({
  metric: s
    .oneOf(metrics)
    .describe('The figure: latency, time_to_first_token and csat are averages, the others are sums.'),
});
export const analyticsQuery = s.query({
  time_start: s
    .datetime({ example: '2026-01-01T00:00:00Z' })
    .describe('The start of the time range, rounded down to the hour.'),
  time_end: s
    .datetime({ example: '2026-02-01T00:00:00Z' })
    .describe('The end of the time range, rounded up to the hour; after `time_start`.'),
  group_by: s
    .withDefault(s.oneOf(groupings), 'none')
    .describe(
      'What to split the figure by. `user` is an end user, named only to callers with `conversations_read` and else by a pseudonym; `person` is someone with an account: who is signed in, or who owns the key or trigger. `workspace` compares all workspaces of the organization and needs `org:admin`. By version, model, user, key and person, ranges over seven days or older than 90 days are rounded to whole days.',
    ),
  interval: s
    .optional(s.oneOf(['auto', 'hour', 'day', 'none']))
    .describe(
      'The step of the time axis. `auto`: days for more than three days, else hours. `none`: one figure for the whole range. Unless given: `auto`, with groups `none`.',
    ),
  statistic: s
    .withDefault(s.oneOf(['average', 'p50', 'p95', 'p99']), 'average')
    .describe(
      'The average, or a percentile to within 12 %. Percentiles exist for latency and time_to_first_token, ungrouped or by agent.',
    ),
  agent_id: s.optional(s.uuid('agent')).describe('Only this agent.'),
  page: s.withDefault(s.int({ ge: 1 }), 1).describe('Which page of the groups to return; the first is 1.'),
  page_size: s.withDefault(s.int({ ge: 1, le: 200 }), 50).describe('Groups on a page.'),
});
export type AnalyticsQuery = z.output<typeof analyticsQuery>;

const figure = z.number().nullable().describe('The figure. Null: an average without any values.');
const groupId = z.string().nullable().describe('The id of the group. Null: what belongs to no group.');
const groupLabel = z.string().describe('The name of the group; its id when it has no name, `none` when it has no id.');
const bar = z.strictObject({
  label: z.string().describe('The start of the hour or day (ISO 8601, UTC).'),
  value: figure,
});
const group = z.strictObject({ id: groupId, label: groupLabel, value: figure });
const row = z.strictObject({
  time: z.iso.datetime().describe('The start of the hour or day (ISO 8601, UTC).'),
  id: groupId,
  label: groupLabel,
  value: figure,
});

export const analyticsAnswer = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('simple').describe('One figure for the whole time range.'), value: figure }),
    z.strictObject({
      type: z.literal('barchart').describe('A figure for each hour or day.'),
      value: z.array(bar).describe('The bars in the order of time, one for each hour or day of the range.'),
    }),
    z.strictObject({
      type: z.literal('horizontal-barchart').describe('A figure for each group.'),
      value: z.array(group).describe('The groups of this page, the largest figure first.'),
    }),
    z.strictObject({
      type: z.literal('table').describe('A figure for each group and hour or day.'),
      value: z
        .strictObject({
          columns: z.array(z.string()).describe('The names of the columns: time, id, label, value.'),
          rows: z.array(row).describe('The rows of this page, by time and group.'),
        })
        .describe('The table.'),
    }),
    z.strictObject({
      type: z.literal('empty').describe('There is no data in the time range.'),
      value: z.null().describe('Always null.'),
    }),
  ])
  .meta({ id: 'Analytics' });
const overviewGroupings = ['none', 'agent', 'version', 'person', 'channel', 'topic', 'tool'] as const;
const metricList = new RegExp(`^(?:${metrics.join('|')})(?:,(?:${metrics.join('|')}))*$`);
export const overviewQuery = s.query({
  metrics: s
    .str({ max: 1000, pattern: metricList, example: 'conversations,cost' })
    .describe(`The metrics, separated by commas. There are ${metrics.join(', ')}.`),
  time_start: analyticsQuery.shape.time_start,
  time_end: analyticsQuery.shape.time_end,
  group_by: s
    .withDefault(s.oneOf(overviewGroupings), 'none')
    .describe(
      'What to split each figure by, besides the figure of the whole workspace. By `channel`, `topic` and `tool` there are figures of the last 90 days, of conversations that are not deleted: by channel and topic of every metric but messages and csat, by tool of tool_calls alone. A conversation with several topics counts for each.',
    ),
  agent_id: analyticsQuery.shape.agent_id,
  page_size: s.withDefault(s.int({ ge: 1, le: 200 }), 50).describe('The most groups of each metric.'),
});
export type OverviewGrouping = (typeof overviewGroupings)[number];
export type OverviewQuery = z.output<typeof overviewQuery>;

const conversationFilter = z
  .strictObject({
    assistant_id: z.guid().optional().describe('The agent of the conversations.'),
    assistant_version_id: z.guid().optional().describe('The version that the conversations are pinned to.'),
    person_id: z.guid().optional().describe('The person whose conversations they are.'),
    channel: z.string().optional().describe('The protocol or channel that the conversations came through.'),
    topic_id: z.guid().optional().describe('The topic of the conversations.'),
    created_after: z.iso.datetime().describe('The start of the time range.'),
    created_before: z.iso.datetime().describe('The end of the time range.'),
  })
  .meta({ id: 'ConversationFilter' });
export type ConversationFilter = z.output<typeof conversationFilter>;
const toolCallFilter = z
  .strictObject({
    tool: z.string().describe('The name of the tool.'),
    assistant_id: z.guid().optional().describe('The agent of the conversations.'),
    created_after: z.iso.datetime().describe('The start of the time range.'),
    created_before: z.iso.datetime().describe('The end of the time range.'),
  })
  .meta({ id: 'ToolCallFilter' });
const before = z.number().nullable().describe('The figure of the period before, which is as long. Null: no values.');

export const overviewAnswer = z
  .strictObject({
    time_start: z.iso.datetime().describe('The start of the time range, rounded to the hour.'),
    time_end: z.iso.datetime().describe('The end of the time range, rounded to the hour.'),
    before_start: z.iso.datetime().describe('The start of the period before, which ends where the range starts.'),
    conversations: conversationFilter.describe(
      'The parameters of `GET /v1/conversations` that list the conversations begun in the time range.',
    ),
    metrics: z
      .array(
        z.strictObject({
          metric: z.enum(metrics).describe('The metric.'),
          value: figure,
          before,
          groups: z
            .array(
              z.strictObject({
                id: groupId,
                label: groupLabel,
                value: figure,
                before,
                conversations: conversationFilter
                  .nullable()
                  .describe(
                    'The parameters of `GET /v1/conversations` that list the conversations of the group. Null: what belongs to no group, and calls of a tool.',
                  ),
                tool_calls: toolCallFilter
                  .optional()
                  .describe('By tool: the parameters of `GET /v1/tool-calls` that list the calls of the group.'),
              }),
            )
            .describe('The groups, the largest figure first. Empty without `group_by`.'),
        }),
      )
      .describe('The metrics in the order in which they were asked for.'),
  })
  .meta({ id: 'AnalyticsOverview' });
export type OverviewAnswer = z.output<typeof overviewAnswer>;

export type AnalyticsAnswer = z.output<typeof analyticsAnswer>;
