import { walkExperiments } from '../test/settings/experiment.ts';
import { experiments, makeExperimentObserver } from '../test/settings/experiments/all-experiments.ts';

walkExperiments(await makeExperimentObserver(), experiments);
