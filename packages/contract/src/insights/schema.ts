import { z } from 'zod';
import * as s from '../schema/schema.ts';

export const insightParams = s.object({ assistant_id: s.uuid('agent') });

const days = s.withDefault(s.int({ ge: 1, le: 90 }), 30);
export const daysQuery = s.query({ days });
export const topTopicsQuery = s.query({
  days,
  limit: s.withDefault(s.int({ ge: 1, le: 50 }), 10),
  label_length: s.withDefault(s.oneOf(['short', 'medium', 'long']), 'medium'),
});

export const topTopics = z
  .strictObject({ topics: z.array(z.strictObject({ label: z.string(), count: z.int() })) })
  .meta({ id: 'TopTopics' });

const csatPart = { average: z.number().nullable(), count: z.int() };
export const csat = z
  .strictObject({
    ...csatPart,
    /** How often each score from 1 to 5 was given, in this order. */
    distribution: z.array(z.int()).length(5),
    by_source: z.array(z.strictObject({ source: z.enum(['user', 'agent', 'judge']), ...csatPart })),
  })
  .meta({ id: 'Csat' });

export const customInsights = z
  .strictObject({
    insights: z.array(
      z.strictObject({
        name: z.string(),
        question: z.string().nullable(),
        type: z.string(),
        count: z.int(),
        /** Of numbers; null for anything else. */
        average: z.number().nullable(),
        /** The most frequent answers. */
        answers: z.array(z.strictObject({ answer: z.union([z.string(), z.number(), z.boolean()]), count: z.int() })),
      }),
    ),
  })
  .meta({ id: 'CustomInsights' });

export type TopTopicsQuery = z.output<typeof topTopicsQuery>;
export type Csat = z.output<typeof csat>;
export type CustomInsights = z.output<typeof customInsights>;
