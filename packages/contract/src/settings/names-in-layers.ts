import { keysOf } from '../keys-of.ts';
import { type SettingName, type SparseSettings, settingKeys } from './settings.ts';

const places = new Map<string, number>(keysOf(settingKeys).map((name, place) => [name, place]));
const placeOf = (name: SettingName) => places.get(name) ?? 0;

/**
 * The settings that layers have a value for, in the order of all settings. Every other setting is at its default, so a
 * comparison of layers need not look at it.
 */
export function namesInLayers(layers: readonly (SparseSettings | null)[]): SettingName[] {
  const found = new Set<SettingName>();
  for (const layer of layers) if (layer) for (const name of keysOf(layer)) if (places.has(name)) found.add(name);
  // Entries of `tools` change base tools.
  if (found.has('tools')) found.add('base_tools');
  return [...found].sort((one, other) => placeOf(one) - placeOf(other));
}
