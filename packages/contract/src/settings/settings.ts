import type * as z from 'zod';
import * as s from '../schema/schema.ts';
import { defaultsOf, schemasOf, type ValuesOf } from './key.ts';
import { capabilities } from './keys/capabilities.ts';
import { display } from './keys/display.ts';
import { layout } from './keys/layout.ts';
import { model } from './keys/model.ts';
import { safety } from './keys/safety.ts';
import { type RichTextInput, type RichTextItem, strippedOf } from './rich-text.ts';
import type { ClassedKey } from './setting-class.ts';
import { baseTools } from './tools/base-tools.ts';
import { namesApprovers, withFourEyesOfAdded } from './tools/entry-approvers.ts';
import { baseChangesIn, mergeTools } from './tools/tool-entries.ts';

/** The whole settings object, in the parts it is documented in. */
export const settingGroups = { safety, model, display, capabilities, layout };

const keys = { ...safety, ...model, ...display, ...capabilities, ...layout };
export type SettingName = keyof typeof keys;
export const settingKeys: Record<SettingName, ClassedKey> = keys;

/** Every key with a value. */
export type Settings = ValuesOf<typeof keys>;
/** Only the keys that a caller has set; agents and conversations store these. */
export type SparseSettings = Partial<Settings>;

/** What a client may send for each key; null says what leaving out says. */
export type SettingsInput = {
  [K in SettingName]?: (Settings[K] extends RichTextItem[] ? RichTextInput : Settings[K]) | null | undefined;
};

/** Settings as callers send them: any of the keys, no others; `model_selection` is another name of `model`. */
export const settingsInput = s
  .sparse(schemasOf(keys), { model_selection: 'model' })
  .meta({ id: 'ConversationSettings' }) as unknown as z.ZodType<SparseSettings, SettingsInput>;

const defaults: Settings = defaultsOf(keys);

const richTextKeys = ['persona', 'tone', 'extra_instructions', 'citation_instructions', 'message_footer'] as const;
/** Emptied in a protected preview, and held by the prompt lock. */
export const promptKeys = [
  'persona',
  'tone',
  'extra_instructions',
  'prompt_defense',
  'deployment_custom_instructions',
] as const;

/** One layer of set keys over another: a key replaces the one below, only base_tools merges by type. */
export function overlay(below: SparseSettings, above: SparseSettings): SparseSettings {
  const merged = { ...below, ...above };
  if (below.base_tools && above.base_tools) merged.base_tools = mergeTools(below.base_tools, above.base_tools);
  return merged;
}

/**
 * The effective settings: the defaults, then each layer, with every key. Entries of `tools` change base tools at the
 * layer they come from, so a layer above can change them again.
 */
export function effectiveSettings(...layers: (SparseSettings | null)[]): Settings {
  let set: SparseSettings = {};
  let tools = baseTools;
  const toolsFrom = layers.findLastIndex((layer) => layer?.tools);
  layers.forEach((layer, index) => {
    if (!layer) return;
    set = overlay(set, layer);
    if (layer.base_tools) tools = mergeTools(tools, layer.base_tools);
    if (layer.tools && index === toolsFrom) tools = mergeTools(tools, baseChangesIn(layer.tools));
  });
  const settings = { ...defaults, ...set, base_tools: [...tools] };
  return layers.slice(1).some(namesApprovers)
    ? withFourEyesOfAdded(settings, effectiveSettings(layers[0] ?? null))
    : settings;
}

/** Settings as answers carry them: the editor's structure stripped; a protected preview shows no instructions. */
export function shownSettings(settings: Settings, { hide_prompt = false } = {}): Settings {
  const shown: Settings = { ...settings };
  for (const name of richTextKeys) shown[name] = strippedOf(settings[name]);
  if (hide_prompt) for (const name of promptKeys) Object.assign(shown, { [name]: defaults[name] });
  return shown;
}
