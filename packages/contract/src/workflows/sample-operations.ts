import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { workflowsRoutes } from './routes.ts';
import { sampleParams, sampleSave, stepSample, stepSamples } from './sample-schema.ts';
import { workflowParams } from './schema.ts';

const tag = 'Workflows';
const permission = 'flows_edit';

export const listStepSamples = operation({
  id: 'stepSamples.list',
  route: workflowsRoutes['stepSamples.list'],
  summary: 'List the samples of the steps of a workflow',
  description:
    'Returns the outputs that are kept for steps. They may be values of a real run, so they are for those who may edit the workflow.',
  tag,
  permission,
  params: workflowParams,
  errors: [noSuch('workflow')],
  answer: stepSamples,
});

export const saveStepSample = operation({
  id: 'stepSamples.save',
  route: workflowsRoutes['stepSamples.save'],
  summary: 'Keep outputs of a step as its sample',
  description:
    'Keeps outputs of a step with the workflow, in place of those before: the given ones, or those that it had in a run. Runs of one step use them with `use_samples`, and expressions with `workflow_id`; no other run does. At most 256 KiB a step and 2 MiB a workflow.',
  tag,
  permission,
  params: workflowParams,
  body: sampleSave,
  example: { node_id: 'in', outputs: { output: 'Ada' } },
  errors: [
    refused('forbidden', 'The caller lacks `flows_run`, which outputs of a run need.'),
    noSuch('workflow or run'),
    conflicts('no_outputs', 'The step has not completed in the run.'),
    conflicts('samples_full', 'The samples of the workflow would be larger than 2 MiB together.'),
  ],
  answer: stepSample,
});

export const deleteStepSample = operation({
  id: 'stepSamples.delete',
  route: workflowsRoutes['stepSamples.delete'],
  summary: 'Delete the sample of a step',
  description: 'Deletes the outputs that are kept for a step.',
  tag,
  permission,
  params: sampleParams,
  errors: [noSuch('workflow or sample')],
  answer: success,
});

export const stepSampleOperations = [listStepSamples, saveStepSample, deleteStepSample];
