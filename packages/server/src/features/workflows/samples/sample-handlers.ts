import { done } from '@atrium/contract/page.ts';
import { deleteStepSample, listStepSamples, saveStepSample } from '@atrium/contract/workflows/sample-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { StepSampleService } from './step-samples.ts';

export const stepSampleRoutes = (samples: StepSampleService): Route[] => [
  handle(listStepSamples, (scope, { params }) => samples.list(scope, params.workflow_id)),
  handle(saveStepSample, (scope, { params, body }) => samples.save(scope, params.workflow_id, body)),
  handle(deleteStepSample, async (scope, { params }) => {
    await samples.remove(scope, params.workflow_id, params.node_id);
    return done;
  }),
];
