import { effectiveSettings, type SparseSettings, shownSettings } from '@atrium/contract/settings/settings.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { maskSettings } from './masks/mask-settings.ts';
import type { SettingsTextCache } from './ports.ts';

const keep = 500;
/** Longer layers are rare, and 500 of the largest would fill the memory. */
const longest = 32_768;

/**
 * Settings as JSON text, ready to be spliced into an answer. Serializing 9 KB of settings for each of 50 list items was
 * most of the cost of a list. Stored settings are short and mostly alike, so the texts are cached by the exact stored
 * layers and are never stale.
 */
export function makeSettingsTextCache(): SettingsTextCache {
  const texts = new LruCache<string, string>({ max: keep });

  return (layers, { preview = false, masked = false } = {}) => {
    const name = `${preview} ${masked}\0${layers.join('\0')}`;
    let text = texts.get(name);
    if (text === undefined) {
      const parsed = layers.map((layer) => (layer === null ? null : parseStored<SparseSettings>(layer)));
      // Settings of a conversation can't remove the protection of its agent.
      const is_protected = parsed.some((layer) => layer?.protect_instructions_in_preview);
      const settings = shownSettings(effectiveSettings(...parsed), { hide_prompt: preview && is_protected });
      text = JSON.stringify(masked ? maskSettings(settings) : settings);
      if (name.length > longest) return text;
      texts.set(name, text);
    }
    return text;
  };
}
