import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Experiments } from '../experiment.ts';
import { makeObserver } from '../observe.ts';
import { capabilityExperiments, shopTool, slowNode } from './capabilities.ts';
import { contentExperiments } from './content.ts';
import { displayExperiments, sourceTool } from './display.ts';
import { longTool, modelExperiments, slowTool } from './model.ts';
import { safetyExperiments, sendingTool } from './safety.ts';

export const experiments: Experiments = {
  ...modelExperiments,
  ...safetyExperiments,
  ...contentExperiments,
  ...displayExperiments,
  ...capabilityExperiments,
};

const facts = (model: string, cost: number, quality: number) => ({
  ...{ provider: 'openai-compatible', model, quality, speed: 5 },
  price: { input: cost, cached_input: cost / 10, output: 4 * cost },
});
const small = { provider: 'openai-compatible', model: 'small', context_window: 4000, max_output_tokens: 500 };

/** An observer with the models, tools and nodes of all experiments. */
export async function makeExperimentObserver() {
  const models_file = join(tmpdir(), `experiment-models-${process.pid}.json`);
  writeFileSync(models_file, JSON.stringify([facts('cheap', 1, 5), facts('dear', 9, 10), small]));
  after(() => rmSync(models_file, { force: true }));
  const tools = [slowTool, longTool, sourceTool, shopTool, sendingTool];
  return makeObserver({ models_file, web_allow: ['127.0.0.1'] }, { tools, nodes: [slowNode] });
}
