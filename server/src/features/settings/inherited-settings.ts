import type { InheritedSettings } from '../../lib/scope.ts';
import type { Settings, SparseSettings } from './settings.ts';
import { inheritedKeys, tightenSettings } from './tighten-settings.ts';

const pickInherited = (settings: Settings): SparseSettings =>
  Object.fromEntries(inheritedKeys.map((name) => [name, settings[name]]));

/** What the runs that a conversation begins are held to. */
export const inheritedFrom = (settings: Settings, conversation_id: string): InheritedSettings => ({
  settings: { ...pickInherited(settings) },
  conversation_id,
});

/** Settings as strict as their own and as those that were inherited. */
export const tightenToInherited = (settings: Settings, inherits: InheritedSettings | null | undefined): Settings =>
  inherits ? tightenSettings(settings, inherits.settings as SparseSettings) : settings;

/** The inherited keys of such settings, as a layer above all others. */
export const inheritedLayer = (settings: Settings, inherits: InheritedSettings): SparseSettings =>
  pickInherited(tightenToInherited(settings, inherits));

const safetyKeys = inheritedKeys.filter((name) => !name.startsWith('usage_limits_'));

/** What a conversation inherits that is asked once more: it never becomes less private or safe; limits are the newer ones. */
export const joinInherited = (before: InheritedSettings | null, now: InheritedSettings): InheritedSettings =>
  before
    ? { ...now, settings: { ...tightenSettings(now.settings as unknown as Settings, before.settings, safetyKeys) } }
    : now;
