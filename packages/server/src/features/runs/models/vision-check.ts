import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Registry } from '../../models/service.ts';

/** Checks whether every model of these settings takes images. */
export const makeVisionCheck =
  (registry: Pick<Registry, 'resolve'>) =>
  async (scope: Scope, settings: Settings): Promise<boolean> =>
    (await registry.resolve(scope, settings.model)).models.every(({ info }) => info.vision);
