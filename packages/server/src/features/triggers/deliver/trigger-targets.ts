import { notFound } from '@atrium/contract/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Start, TargetKind, TriggerTarget } from '../ports.ts';

interface Aim {
  target_kind: TargetKind;
  target_id: string;
}

export interface Targets {
  exists(scope: Scope, aim: Aim): Promise<boolean>;
  require(scope: Scope, aim: Aim): Promise<void>;
  requireVersion(scope: Scope, aim: Aim, version_id: string): Promise<void>;
  start(scope: Scope, aim: Aim, start: Start): Promise<string>;
}

/** Everything that triggers can start, by its kind; of two of a kind the later. A kind that nobody brings has no records. */
export function makeTargets(list: readonly TriggerTarget[]): Targets {
  const byKind = new Map(list.map((target) => [target.kind, target]));
  const exists = async (scope: Scope, { target_kind, target_id }: Aim) =>
    (await byKind.get(target_kind)?.exists(scope, target_id)) ?? false;

  return {
    exists,

    async require(scope: Scope, aim: Aim): Promise<void> {
      if (!(await exists(scope, aim))) throw notFound(aim.target_kind);
    },

    async requireVersion(scope: Scope, { target_kind, target_id }: Aim, version_id: string): Promise<void> {
      if (!(await byKind.get(target_kind)?.hasVersion(scope, target_id, version_id))) throw notFound('version');
    },

    start(scope: Scope, { target_kind }: Aim, start: Start): Promise<string> {
      const target = byKind.get(target_kind);
      if (!target) throw notFound(target_kind);
      return target.start(scope, start);
    },
  };
}
