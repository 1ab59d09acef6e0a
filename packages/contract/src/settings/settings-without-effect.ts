import { isSameJson } from '../same-json.ts';
import { describeConditions, unmetConditions } from './conditions.ts';
import type { Condition } from './key.ts';
import { namesInLayers } from './names-in-layers.ts';
import { isToolOn, settingNeeds } from './setting-needs.ts';
import {
  effectiveSettings,
  type SettingName,
  type Settings,
  type SparseSettings,
  settingKeys,
  shownSettings,
} from './settings.ts';
import { baseChangesIn, mergeTools } from './tools/tool-entries.ts';

/** A setting that is stored and has no effect as things stand. */
export interface SettingWithoutEffect {
  key: SettingName;
  /** The settings that decide it, itself included. */
  decidedBy: readonly SettingName[];
  msg: string;
  type: 'setting_has_no_effect' | 'tool_on_and_off';
}

const keyOf = ({ key }: Condition) => key as SettingName;

/** A tool that one layer turns on in `tools` and off in `base_tools`, or the other way round. */
function contradictions(layers: readonly (SparseSettings | null)[], settings: Settings): SettingWithoutEffect[] {
  const { tools = [], base_tools = [] } = layers.findLast((layer) => layer?.tools) ?? {};
  const asked = mergeTools([], baseChangesIn(tools));
  return mergeTools([], base_tools).flatMap(({ type, enabled }) => {
    const entry = asked.find((one) => one.type === type);
    if (!entry || typeof enabled !== 'boolean' || enabled === entry['enabled']) return [];
    const [here, there] = enabled ? ['on', 'off'] : ['off', 'on'];
    return {
      key: 'base_tools',
      decidedBy: ['base_tools', 'tools'],
      msg: `The tool \`${type}\` is ${here} in \`base_tools\` and ${there} in \`tools\`; it is ${isToolOn(settings, type) ? 'on' : 'off'}`,
      type: 'tool_on_and_off',
    };
  });
}

const defaults = shownSettings(effectiveSettings());

/**
 * Finds the settings that are not at their defaults and have no effect beside the others, over all layers from the lowest
 * to the highest.
 */
export function findSettingsWithoutEffect(...layers: (SparseSettings | null)[]): SettingWithoutEffect[] {
  const settings = effectiveSettings(...layers);
  const shown = shownSettings(settings);
  const found: SettingWithoutEffect[] = [];
  const add = (key: SettingName, others: readonly SettingName[], why: string, part: string = key) =>
    found.push({
      key,
      decidedBy: [key, ...others],
      msg: `\`${part}\` has no effect while ${why}`,
      type: 'setting_has_no_effect',
    });
  for (const key of namesInLayers(layers)) {
    if (isSameJson(shown[key], defaults[key])) continue;
    const conditions = unmetConditions(settingKeys[key].shownWhen, settings);
    if (conditions.length) add(key, conditions.map(keyOf), describeConditions(conditions));
    else
      for (const { key: own, of, isMet, why, part } of settingNeeds)
        if (own === key && !isMet(settings))
          add(
            key,
            of,
            typeof why === 'string' ? why : why(settings),
            typeof part === 'function' ? part(settings) : part,
          );
  }
  return [...found, ...contradictions(layers, settings)];
}
