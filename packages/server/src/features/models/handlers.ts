import {
  getModelDefaults,
  getPreset,
  listModels,
  listPresets,
  resetPreset,
  setModelDefaults,
  setPreset,
} from '@atrium/contract/models/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ModelDefaultsAdmin } from './model-defaults.ts';
import type { Presets } from './presets-service.ts';
import type { Registry } from './service.ts';

export const modelRoutes = (registry: Registry, presets: Presets, defaults: ModelDefaultsAdmin): Route[] => [
  handle(getModelDefaults, () => defaults.get()),
  handle(setModelDefaults, (scope, { body }) => defaults.set(scope, body)),
  handle(listModels, (scope, { query }) => registry.list(scope, query.kind)),
  handle(listPresets, (scope) => presets.list(scope)),
  handle(getPreset, (scope, { params }) => presets.get(scope, params.preset_name)),
  handle(setPreset, (scope, { params, body }) => presets.put(scope, params.preset_name, body.models)),
  handle(resetPreset, async (scope, { params }) => {
    await presets.reset(scope, params.preset_name);
    return done;
  }),
];
