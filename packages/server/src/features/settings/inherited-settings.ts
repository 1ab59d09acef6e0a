import { isSameJson } from '@atrium/contract/same-json.ts';
import { inheritedKeys } from '@atrium/contract/settings/layers.ts';
import type { Settings, SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { InheritedSettings } from '../../lib/scope.ts';
import { tightenSettings } from './tighten-settings.ts';

const pickInherited = (settings: Settings): SparseSettings =>
  Object.fromEntries(inheritedKeys.map((name) => [name, settings[name]]));

/** The settings that bind the runs which a conversation starts. */
export const inheritedFrom = (settings: Settings, conversation_id: string): InheritedSettings => ({
  settings: { ...pickInherited(settings) },
  conversation_id,
});

/** Settings tightened to those that were inherited. */
export const tightenToInherited = (settings: Settings, inherits: InheritedSettings | null | undefined): Settings =>
  inherits ? tightenSettings(settings, inherits.settings) : settings;

/** The tightened values of the inherited keys, as a layer above all others. */
export const inheritedLayer = (settings: Settings, inherits: InheritedSettings): SparseSettings =>
  pickInherited(tightenToInherited(settings, inherits));

const safetyKeys = inheritedKeys.filter((name) => !name.startsWith('usage_limits_'));

const isFirst = <T>(one: T, at: number, all: readonly T[]) => all.findIndex((other) => isSameJson(other, one)) === at;

/** The inherited settings of a conversation that is asked again: privacy and safety only tighten, who is named to decide stays named, limits are replaced. */
export const joinInherited = (before: InheritedSettings | null, now: InheritedSettings): InheritedSettings =>
  before
    ? {
        ...{ ...now, approvers: [...(before.approvers ?? []), ...(now.approvers ?? [])].filter(isFirst) },
        settings: { ...tightenSettings(now.settings as unknown as Settings, before.settings, safetyKeys) },
      }
    : now;
