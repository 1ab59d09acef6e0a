import { getPreset, listModels, listPresets, resetPreset, setPreset } from '@atrium/contract/models/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Presets } from './presets-service.ts';
import type { Registry } from './service.ts';

export const modelRoutes = (registry: Registry, presets: Presets): Route[] => [
  handle(listModels, (scope) => registry.list(scope)),
  handle(listPresets, (scope) => presets.list(scope)),
  handle(getPreset, (scope, { params }) => presets.get(scope, params.preset_name)),
  handle(setPreset, (scope, { params, body }) => presets.put(scope, params.preset_name, body.models)),
  handle(resetPreset, async (scope, { params }) => {
    await presets.reset(scope, params.preset_name);
    return done;
  }),
];
