import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Presets } from './presets-service.ts';
import type { Registry } from './registry.ts';
import { modelInfo, preset, presetParams, presetPut, presetSetting } from './schema.ts';

const tag = 'Models';

export const modelRoutes = (registry: Registry, presets: Presets): Route[] => [
  defineRoute({
    route: 'GET /v1/models/llms',
    summary: 'List the models that agents can use',
    tag,
    permission: 'any',
    answer: z.array(modelInfo),
    handler: (scope) => registry.list(scope),
  }),
  defineRoute({
    route: 'GET /v1/models/llms/presets',
    summary: 'List the presets, each with the models it stands for',
    tag,
    permission: 'any',
    answer: z.array(preset),
    handler: (scope) => presets.list(scope),
  }),
  defineRoute({
    route: 'GET /v1/admin/presets/{preset_name}',
    summary: 'Get a preset',
    tag,
    permission: 'settings_read',
    params: presetParams,
    answer: presetSetting,
    handler: (scope, { params }) => presets.get(scope, params.preset_name),
  }),
  defineRoute({
    route: 'PUT /v1/admin/presets/{preset_name}',
    summary: 'Choose the models of a preset, or make one',
    tag,
    permission: 'settings_write',
    params: presetParams,
    body: presetPut,
    example: { models: ['openai/gpt-6-luna', 'anthropic/claude-haiku-5-5'] },
    answer: presetSetting,
    handler: (scope, { params, body }) => presets.put(scope, params.preset_name, body.models),
  }),
  defineRoute({
    route: 'DELETE /v1/admin/presets/{preset_name}',
    summary: 'Take back the choice for a preset; the computed models come back',
    tag,
    permission: 'settings_write',
    params: presetParams,
    answer: success,
    handler: async (scope, { params }) => {
      await presets.reset(scope, params.preset_name);
      return done;
    },
  }),
];
