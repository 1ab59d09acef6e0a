import { z } from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { modelsRoutes } from './routes.ts';
import { modelInfo, preset, presetParams, presetPut, presetSetting } from './schema.ts';

const tag = 'Models';

export const listModels = operation({
  id: 'models.list',
  route: modelsRoutes['models.list'],
  summary: 'List the models that agents can use',
  tag,
  permission: 'any',
  answer: z.array(modelInfo),
});

export const listPresets = operation({
  id: 'presets.list',
  route: modelsRoutes['presets.list'],
  summary: 'List the presets, each with the models it stands for',
  tag,
  permission: 'any',
  answer: z.array(preset),
});

export const getPreset = operation({
  id: 'presets.get',
  route: modelsRoutes['presets.get'],
  summary: 'Get a preset',
  tag,
  permission: 'settings_read',
  params: presetParams,
  answer: presetSetting,
});

export const setPreset = operation({
  id: 'presets.set',
  route: modelsRoutes['presets.set'],
  summary: 'Choose the models of a preset, or make one',
  tag,
  permission: 'settings_write',
  params: presetParams,
  body: presetPut,
  example: { models: ['openai/gpt-6-luna', 'anthropic/claude-haiku-5-5'] },
  answer: presetSetting,
});

export const resetPreset = operation({
  id: 'presets.reset',
  route: modelsRoutes['presets.reset'],
  summary: 'Take back the choice for a preset; the computed models come back',
  tag,
  permission: 'settings_write',
  params: presetParams,
  answer: success,
});

export const modelOperations = [listModels, listPresets, getPreset, setPreset, resetPreset];
