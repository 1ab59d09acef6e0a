import { z } from 'zod';
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

export const groupings = ['none', 'agent', 'version', 'model', 'user', 'key'] as const;
export type Grouping = (typeof groupings)[number];

export const analyticsParams = s.object({ metric: s.oneOf(metrics) });
export const analyticsQuery = s.query({
  time_start: s.datetime({ example: '2026-01-01T00:00:00Z' }),
  time_end: s.datetime({ example: '2026-02-01T00:00:00Z' }),
  group_by: s.withDefault(s.oneOf(groupings), 'none'),
  /** `auto`: days above three days, else hours. `none`: one figure for the whole time. */
  interval: s.optional(s.oneOf(['auto', 'hour', 'day', 'none'])),
  /** Of figures that are averages: the average, or a percentile where there is one. */
  statistic: s.withDefault(s.oneOf(['average', 'p50', 'p95', 'p99']), 'average'),
  agent_id: s.optional(s.uuid('agent')),
  page: s.withDefault(s.int({ ge: 1 }), 1),
  page_size: s.withDefault(s.int({ ge: 1, le: 200 }), 50),
});
export type AnalyticsQuery = z.output<typeof analyticsQuery>;

const figure = z.number().nullable();
const bar = z.strictObject({ label: z.string(), value: figure });
/** A group also has the id it is known by; null for what belongs to none. */
const group = z.strictObject({ id: z.string().nullable(), label: z.string(), value: figure });
const row = z.strictObject({ time: z.iso.datetime(), id: z.string().nullable(), label: z.string(), value: figure });

export const analyticsAnswer = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('simple'), value: figure }),
    z.strictObject({ type: z.literal('barchart'), value: z.array(bar) }),
    z.strictObject({ type: z.literal('horizontal-barchart'), value: z.array(group) }),
    z.strictObject({
      type: z.literal('table'),
      value: z.strictObject({ columns: z.array(z.string()), rows: z.array(row) }),
    }),
    z.strictObject({ type: z.literal('empty'), value: z.null() }),
  ])
  .meta({ id: 'Analytics' });
export type AnalyticsAnswer = z.output<typeof analyticsAnswer>;
