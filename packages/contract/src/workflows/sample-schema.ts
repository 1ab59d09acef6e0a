import * as z from 'zod';
import { actorField } from '../actor.ts';
import * as s from '../schema/schema.ts';
import { workflowParams } from './schema.ts';

/** In characters of JSON: of one step, and of all steps of a workflow together. */
export const mostSampleText = 256 * 1024;
export const mostSamplesText = 2 * 1024 * 1024;

const nodeId = s.str({ min: 1, max: 100 });

export const stepSample = z
  .strictObject({
    node_id: z.string().describe('The step.'),
    outputs: z.record(z.string(), z.unknown()).describe('The values at its outputs, by output.'),
    bytes: z.int().describe('How long the values are as JSON text.'),
    run_id: z
      .guid()
      .nullable()
      .describe('The run that they come from; it may be deleted by now. Null: they were sent.'),
    saved_by: z.guid().nullable().describe('The id of the API key or person that saved them. Null: not known.'),
    saved_by_actor: actorField('Who saved them.'),
    saved_at: z.iso.datetime().describe('When they were saved (ISO 8601, UTC).'),
  })
  .meta({ id: 'StepSample' });

export const stepSamples = z
  .strictObject({
    samples: z.array(stepSample).describe("The samples in the order of their steps' ids."),
    bytes: z.int().describe('How long all of them are together.'),
    max_bytes: z.int().describe('How long all of them may be together.'),
  })
  .meta({ id: 'StepSamples' });

export const sampleSave = s
  .object({
    node_id: nodeId.describe('The step, of the published definition or of the draft.'),
    outputs: s.optional(s.dict()).describe('The values at its outputs, by output. Either these or `run_id`.'),
    run_id: s
      .optional(s.uuid('workflow_run'))
      .describe(
        'A run of the workflow whose values are taken: of a step inside of a loop, those of the last round that completed.',
      ),
  })
  .meta({ id: 'StepSampleSave' });

export const sampleParams = workflowParams.extend({ node_id: nodeId.describe('The id of the step.') });

export type StepSample = z.output<typeof stepSample>;
export type StepSamples = z.output<typeof stepSamples>;
export type SampleSave = z.output<typeof sampleSave>;
