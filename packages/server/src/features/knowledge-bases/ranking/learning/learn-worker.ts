import { parentPort, workerData } from 'node:worker_threads';
import { encodeModel } from '../search-model.ts';
import { learnSearchModel, type SampledPassage, type SplitPassages, splitPassages } from './learn-search-model.ts';

export type LearnTask =
  | { step: 'split'; passages: readonly SampledPassage[] }
  | { step: 'learn'; split: SplitPassages; stems: readonly (string | null)[]; rows: number };

const task = workerData as LearnTask;
parentPort?.postMessage(
  task.step === 'split'
    ? splitPassages(task.passages)
    : new Uint8Array(encodeModel(learnSearchModel(task.split, task.stems, task.rows))),
);
