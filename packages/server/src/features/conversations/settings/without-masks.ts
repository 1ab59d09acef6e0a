import { type Settings, type SparseSettings, shownSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import {
  dropMaskedValues,
  holdsMask,
  maskedKeys,
  mustMaskCredentials,
  restoreMaskedSettings,
} from '../../settings/service.ts';

/** Settings that were sent, without the masks of credentials. A caller that may not see these may not change them either. */
export function withoutMasks(scope: Scope, sent: SparseSettings, stored: Settings): SparseSettings {
  if (!maskedKeys.some((key) => key in sent) && !holdsMask(sent)) return sent;
  const changed = dropMaskedValues(scope, sent, shownSettings(stored));
  return mustMaskCredentials(scope) ? changed : restoreMaskedSettings(changed, stored, ['body', 'settings']);
}
