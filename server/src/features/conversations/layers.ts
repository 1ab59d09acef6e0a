import type { SparseSettings } from '../settings/settings.ts';
import type { ConversationRow } from './store.ts';

type Stored = Pick<ConversationRow, 'base_settings' | 'settings'>;

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as SparseSettings));

/** What a conversation follows, and what was sent with it: the two layers over the platform's defaults. */
export const layersOf = ({ base_settings, settings }: Stored) => [parsed(base_settings), parsed(settings)] as const;
