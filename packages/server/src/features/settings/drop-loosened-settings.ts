import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '@atrium/contract/keys-of.ts';
import {
  effectiveSettings,
  type SettingName,
  type SparseSettings,
  settingKeys,
} from '@atrium/contract/settings/settings.ts';
import { opensAllKnowledgeBases } from './capability-needs.ts';

/** A conversation's own settings without those that are looser than the version it moves to. */
export function dropLoosenedSettings(base: SparseSettings | null, own: SparseSettings | null): SparseSettings | null {
  if (!own) return own;
  const [was, will] = [effectiveSettings(base), effectiveSettings(base, own)];
  const isAllowed = (name: SettingName) => {
    const { class: group, stricter } = settingKeys[name];
    return (
      group === 'presentation' ||
      isDeepStrictEqual(was[name], will[name]) ||
      (!opensAllKnowledgeBases(name, was, will) && (stricter?.isAsStrict(was[name], will[name]) ?? false))
    );
  };
  // Entries of `tools` change base tools too, so the two go together.
  const areToolsAllowed = isAllowed('tools') && isAllowed('base_tools');
  const kept = keysOf(own).filter((name) =>
    name === 'tools' || name === 'base_tools' ? areToolsAllowed : isAllowed(name),
  );
  return Object.fromEntries(kept.map((name) => [name, own[name]]));
}
