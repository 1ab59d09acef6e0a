import { lockedLayer } from '../settings/locked-layer.ts';
import type { SparseSettings } from '../settings/settings.ts';
import type { ConversationRow } from './store.ts';

type Stored = Pick<ConversationRow, 'base_settings' | 'settings' | 'lock_settings' | 'unlocked'>;

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as SparseSettings));

/**
 * What a conversation follows, what was sent with it, and what the locks of its agent make of the two today: the layers
 * over the platform's defaults.
 */
export function layersOf({ base_settings, settings, lock_settings, unlocked }: Stored) {
  const [base, own, published] = [parsed(base_settings), parsed(settings), parsed(lock_settings)];
  return [base, own, published && lockedLayer(base, own, published, unlocked)] as const;
}
