import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { inheritedLayer, lockedLayer } from '../../settings/service.ts';
import type { ConversationRow } from '../store.ts';

type Stored = Pick<ConversationRow, 'base_settings' | 'settings' | 'lock_settings' | 'unlocked' | 'inherits'>;

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as SparseSettings));

/**
 * What a conversation follows, what was sent with it, what the locks of its agent make of the two today, and what the
 * conversation that asked for it holds it to: the layers over the platform's defaults.
 */
export function layersOf({ base_settings, settings, lock_settings, unlocked, inherits }: Stored) {
  const [base, own, published] = [parsed(base_settings), parsed(settings), parsed(lock_settings)];
  const locked = published && lockedLayer(base, own, published, unlocked);
  const inherited = inherits && inheritedLayer(effectiveSettings(base, own, locked), inherits);
  return [base, own, locked, inherited] as const;
}
