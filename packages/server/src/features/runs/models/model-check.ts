import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Registry } from '../../models/service.ts';

/** Refuses a choice of models none of which can be asked: an answer must not give way to one that is sure to fail. */
export const makeModelCheck =
  (registry: Pick<Registry, 'resolve'>) =>
  async (scope: Scope, names: readonly string[]): Promise<void> => {
    const { models, skipped } = await registry.resolve(scope, names);
    if (models.length > 0) return;
    const msg = skipped.map(({ name, reason }) => `${name}: ${reason}`).join(' ');
    const loc = ['body', 'model_selection'];
    throw new InvalidRequest([{ loc, msg, type: 'model_not_configured', input: names, ctx: {} }]);
  };
