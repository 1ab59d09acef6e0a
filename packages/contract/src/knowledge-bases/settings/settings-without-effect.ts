import { keysOf } from '../../keys-of.ts';
import { isSameJson } from '../../same-json.ts';
import { describeConditions, unmetConditions } from '../../settings/conditions.ts';
import { kbSettingDefaults, kbSettingKeys, type SparseKbSettings } from './keys.ts';
import { effective } from './settings.ts';

type Name = keyof typeof kbSettingKeys & keyof SparseKbSettings;
/** A setting of a knowledge base that is stored and has no effect beside the others. */
export interface KbSettingWithoutEffect {
  key: Name;
  /** The settings that decide it, itself included. */
  decidedBy: readonly string[];
  msg: string;
}

/** Finds the settings that are not at their defaults and whose conditions the others do not meet. */
export function findKbSettingsWithoutEffect(set: SparseKbSettings): KbSettingWithoutEffect[] {
  const settings = effective(set);
  return keysOf(set).flatMap((key) => {
    if (!(key in kbSettingKeys) || isSameJson(settings[key], kbSettingDefaults[key])) return [];
    const conditions = unmetConditions(kbSettingKeys[key].shownWhen, settings);
    if (conditions.length === 0) return [];
    const msg = `\`${key}\` has no effect while ${describeConditions(conditions)}`;
    return [{ key, decidedBy: [key, ...conditions.map((condition) => condition.key)], msg }];
  });
}
