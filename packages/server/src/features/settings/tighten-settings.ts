import { keysOf } from '@atrium/contract/keys-of.ts';
import { inheritedKeys } from '@atrium/contract/settings/layers.ts';
import { type SettingName, type Settings, settingKeys } from '@atrium/contract/settings/settings.ts';
import { required } from '../../lib/required.ts';

/** Whether a value of a key is at least as strict as another; never for a key without a direction. */
export const isAsStrict = <N extends SettingName>(name: N, before: Settings[N], after: Settings[N]): boolean =>
  settingKeys[name].stricter?.isAsStrict(before, after) ?? false;

/** The value of a key that is as strict as both; the bound itself where the key has no direction. */
export const tighten = <N extends SettingName>(name: N, own: Settings[N], bound: Settings[N]): Settings[N] => {
  const { stricter } = settingKeys[name];
  return (stricter ? stricter.tighten(own, bound) : bound) as Settings[N];
};

/** Settings that are as strict as both `own` and `bound` in the named keys. */
export function tightenSettings(
  own: Settings,
  bound: Partial<Settings>,
  names: readonly SettingName[] = inheritedKeys,
): Settings {
  const tightened = { ...own };
  for (const name of names)
    if (bound[name] !== undefined)
      Object.assign(tightened, { [name]: tighten(name, own[name], required(bound[name])) });
  return tightened;
}

/** The keys that a bound changes, with their new values. */
export function pickTightened(own: Settings, bound: Partial<Settings>): Partial<Settings> {
  const names = keysOf(bound);
  const both = tightenSettings(own, bound, names);
  return Object.fromEntries(names.filter((name) => both[name] !== own[name]).map((name) => [name, both[name]]));
}
