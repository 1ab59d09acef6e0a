import * as z from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { modelsRoutes } from './routes.ts';
import {
  modelDefaults,
  modelDefaultsPut,
  modelInfo,
  modelListQuery,
  preset,
  presetParams,
  presetPut,
  presetSetting,
} from './schema.ts';

const tag = 'Models';

export const listModels = operation({
  id: 'models.list',
  route: modelsRoutes['models.list'],
  summary: 'List the models that agents can use',
  description:
    'Returns the language models of the configured providers and the built-in extractive model, as one array without pages: there are few. Use a `name` of it in the setting `model` of an agent. `kind` lists models of vectors, rankings or images instead, which are known by their names. Any key may read it.',
  tag,
  permission: 'any',
  query: modelListQuery,
  answer: z.array(modelInfo),
});

export const listPresets = operation({
  id: 'presets.list',
  route: modelsRoutes['presets.list'],
  summary: 'List the presets, each with the models it stands for',
  description:
    'Returns the presets that the setting `model` takes as `preset:NAME`, as one array without pages: there are few. Without a configured provider every preset stands for the built-in extractive model. Any key may read it.',
  tag,
  permission: 'any',
  answer: z.array(preset),
});

export const getPreset = operation({
  id: 'presets.get',
  route: modelsRoutes['presets.get'],
  summary: 'Get a preset',
  description:
    'Returns one preset with its models, and whether an administrator chose them or they were computed from the configured providers.',
  tag,
  permission: 'settings_read',
  params: presetParams,
  versioned: true,
  answer: presetSetting,
});

export const setPreset = operation({
  id: 'presets.set',
  route: modelsRoutes['presets.set'],
  summary: 'Choose the models of a preset, or create one',
  description:
    'Replaces the models of a preset by the given list, in the order to try them; a new name creates a preset. It applies to the whole organisation and to the next run of every agent that names the preset. Models that are not configured are passed over.',
  tag,
  permission: 'settings_write',
  params: presetParams,
  body: presetPut,
  example: { models: ['openai/gpt-6-luna', 'anthropic/claude-haiku-5-5'] },
  versioned: true,
  answer: presetSetting,
});

export const resetPreset = operation({
  id: 'presets.reset',
  route: modelsRoutes['presets.reset'],
  summary: 'Reset a preset to its computed models',
  description:
    'Removes the choice of an administrator. A built-in preset has its computed models again; a preset that an administrator created is deleted.',
  tag,
  permission: 'settings_write',
  params: presetParams,
  answer: success,
});

export const getModelDefaults = operation({
  id: 'defaults.get',
  route: modelsRoutes['defaults.get'],
  summary: 'Get the default models of the organization',
  description:
    'Returns which model is used where no setting names one, and whether it was set here or by the environment of the server.',
  tag,
  permission: 'settings_read',
  versioned: true,
  answer: modelDefaults,
});

export const setModelDefaults = operation({
  id: 'defaults.set',
  route: modelsRoutes['defaults.set'],
  summary: 'Set the default models of the organization',
  description:
    'Replaces all default models; one that is left out or null is again what the environment sets. They are in effect at once, on every node. A model that no configured provider has is refused. After another model of vectors, knowledge bases that name none need a reindex, which their `health` says.',
  tag,
  permission: 'settings_write',
  body: modelDefaultsPut,
  example: { guardrail: 'preset:cost' },
  versioned: true,
  answer: modelDefaults,
});

export const modelOperations = [
  getModelDefaults,
  setModelDefaults,
  listModels,
  listPresets,
  getPreset,
  setPreset,
  resetPreset,
];
