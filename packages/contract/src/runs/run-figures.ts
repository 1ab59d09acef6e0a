import * as z from 'zod';
import { actorField } from '../actor.ts';

export const runUsage = z
  .strictObject({
    model_calls: z.int().describe('How many times a model was called, failed tries included.'),
    tokens: z.int().describe('Input and output tokens together.'),
    input_tokens: z.int().describe('Tokens that were sent.'),
    cached_tokens: z.int().describe('The part of the input tokens that the provider had in its cache.'),
    output_tokens: z.int().describe('Tokens that came back.'),
    reasoning_tokens: z.int().describe('The part of the output tokens that was reasoning.'),
    cost: z
      .number()
      .nullable()
      .describe('The cost in US dollars of the calls with a known price. Null: there is none.'),
  })
  .meta({ id: 'RunUsage' });

/** What lists of runs show of each run besides the run itself. */
export const runFigures = {
  usage: runUsage.describe('What the model calls of this run have used so far, without those of runs that it started.'),
  agent: z
    .strictObject({
      id: z.guid().describe('The id of the agent.'),
      name: z.string().nullable().describe('Its name. Null: the agent is gone.'),
    })
    .nullable()
    .describe('The agent that runs. Null: a workflow, or a conversation without an agent.'),
  version: z
    .strictObject({
      id: z.guid().describe('The id of the version.'),
      number: z.int().nullable().describe('Its number. Null: the version is gone.'),
    })
    .nullable()
    .describe('The version of the agent that the run started with. Null: none, as in a preview.'),
  trigger_id: z.guid().nullable().describe('The trigger that started the run. Null: it was started otherwise.'),
  actor: actorField('The actor that asked for the run: a person, a key, a trigger or another.'),
  person: actorField('The person behind the actor: who is signed in, or owns the key or trigger.'),
  parent_run_id: z.guid().nullable().describe('The run that started this one. Null: none did.'),
};

export type RunFigures = { [K in keyof typeof runFigures]: z.output<(typeof runFigures)[K]> };

/** The orders of a list of runs. A run without a known cost comes last. */
export const runSorts = ['-created_at', '-cost', 'cost', '-tokens', 'tokens'] as const;
export type RunSort = (typeof runSorts)[number];
