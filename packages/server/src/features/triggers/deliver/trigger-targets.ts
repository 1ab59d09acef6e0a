import { notFound } from '@atrium/contract/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { TargetKind, TargetStart, TriggerTarget } from '../ports.ts';

interface Target {
  target_kind: TargetKind;
  target_id: string;
}

export interface Targets {
  exists(scope: Scope, target: Target): Promise<boolean>;
  require(scope: Scope, target: Target): Promise<void>;
  requireVersion(scope: Scope, target: Target, version_id: string): Promise<void>;
  start(scope: Scope, target: Target, start: TargetStart): Promise<string>;
}

/** The targets of triggers by kind; the later of two of one kind wins. A kind without a target has no records. */
export function makeTargets(list: readonly TriggerTarget[]): Targets {
  const byKind = new Map(list.map((target) => [target.kind, target]));
  const exists = async (scope: Scope, { target_kind, target_id }: Target) =>
    (await byKind.get(target_kind)?.exists(scope, target_id)) ?? false;

  return {
    exists,

    async require(scope: Scope, target: Target): Promise<void> {
      if (!(await exists(scope, target))) throw notFound(target.target_kind);
    },

    async requireVersion(scope: Scope, { target_kind, target_id }: Target, version_id: string): Promise<void> {
      if (!(await byKind.get(target_kind)?.hasVersion(scope, target_id, version_id))) throw notFound('version');
    },

    start(scope: Scope, { target_kind }: Target, start: TargetStart): Promise<string> {
      const target = byKind.get(target_kind);
      if (!target) throw notFound(target_kind);
      return target.start(scope, start);
    },
  };
}
