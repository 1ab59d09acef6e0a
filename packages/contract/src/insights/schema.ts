import * as z from 'zod';
import * as s from '../schema/schema.ts';

export const insightParams = s.object({ assistant_id: s.uuid('agent').describe('The id of the agent.') });

const days = s.withDefault(s.int({ ge: 1, le: 90 }), 30).describe('How many days to look back from now.');
export const daysQuery = s.query({ days });
export const topTopicsQuery = s.query({
  days,
  limit: s.withDefault(s.int({ ge: 1, le: 50 }), 10).describe('The most topics to return.'),
  label_length: s
    .withDefault(s.oneOf(['short', 'medium', 'long']), 'medium')
    .describe(
      'How long the labels are: a word or two, a phrase, or a sentence. Topics with the same label are one entry.',
    ),
});

export const topTopics = z
  .strictObject({
    topics: z
      .array(
        z.strictObject({
          label: z.string().describe('The name of the topic, in the length asked for.'),
          count: z.int().describe('How many conversations have the topic.'),
        }),
      )
      .describe('The topics, the most frequent first.'),
  })
  .meta({ id: 'TopTopics' });

const csatPart = {
  average: z.number().nullable().describe('The average score from 1 to 5. Null: there are no scores.'),
  count: z.int().describe('How many scores there are.'),
};
export const csat = z
  .strictObject({
    ...csatPart,
    distribution: z.array(z.int()).length(5).describe('How often each score from 1 to 5 was given, in this order.'),
    by_source: z
      .array(
        z.strictObject({
          source: z
            .enum(['user', 'agent', 'judge'])
            .describe('Who gave the scores: users by feedback, the agent by its tool, or a model that judges.'),
          ...csatPart,
        }),
      )
      .describe('The same figures for each source.'),
  })
  .meta({ id: 'Csat' });

export const customInsights = z
  .strictObject({
    insights: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the question.'),
          question: z.string().nullable().describe('The question. Null: it was removed from the agent.'),
          type: z.string().describe('The type of its answers: boolean, number, or anything else for text.'),
          count: z.int().describe('How many conversations have an answer.'),
          average: z.number().nullable().describe('The average of numbers. Null for other types.'),
          answers: z
            .array(
              z.strictObject({
                answer: z.union([z.string(), z.number(), z.boolean()]).describe('The answer.'),
                count: z.int().describe('How many conversations have this answer.'),
              }),
            )
            .describe('The answers, the most frequent first; at most 50.'),
        }),
      )
      .describe('The questions with their answers.'),
  })
  .meta({ id: 'CustomInsights' });

export type TopTopics = z.output<typeof topTopics>;
export type TopTopicsQuery = z.output<typeof topTopicsQuery>;
export type Csat = z.output<typeof csat>;
export type CustomInsights = z.output<typeof customInsights>;
