import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';

/** What the operator says of the egress rule; `enforced` forbids agents to turn it off. */
export type EgressRule = 'on' | 'enforced' | 'off';
export type EgressMode = Settings['egress_approval']['mode'];

/** The mode of an agent within the operator's rule, which may be stricter than when the settings were written. */
export function egressModeOf({ egress_approval: { mode } }: Pick<Settings, 'egress_approval'>, rule: EgressRule) {
  if (rule === 'enforced' && mode === 'never') return 'untrusted_only';
  return rule === 'off' && mode === 'untrusted_only' ? 'never' : mode;
}

/** Whether a call that sends something out of a conversation with this taint needs approval. */
export function needsEgressApproval(mode: EgressMode, taint: ReadonlySet<Taint>): boolean {
  if (mode !== 'untrusted_only') return mode === 'always';
  return taint.has('untrusted') && taint.has('private');
}
