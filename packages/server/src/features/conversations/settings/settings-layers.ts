import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { inheritedLayer, lockedLayer } from '../../settings/service.ts';
import type { ConversationRow } from '../store.ts';

type Stored = Pick<ConversationRow, 'base_settings' | 'settings' | 'lock_settings' | 'unlocked' | 'inherits'>;

const parsed = (text: string | null): SparseSettings | null => (text === null ? null : JSON.parse(text));

/**
 * The layers of settings over the platform's defaults: the agent's version, the conversation's own, the agent's locks, and
 * the limits inherited from the conversation that asked for this one.
 */
export function layersOf({ base_settings, settings, lock_settings, unlocked, inherits }: Stored) {
  const [base, own, published] = [parsed(base_settings), parsed(settings), parsed(lock_settings)];
  const locked = published && lockedLayer(base, own, published, unlocked);
  const inherited = inherits && inheritedLayer(effectiveSettings(base, own, locked), inherits);
  return [base, own, locked, inherited] as const;
}
