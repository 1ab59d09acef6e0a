import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { InheritedApprovers, Scope } from '../../lib/scope.ts';
import type { Tool } from '../tools/ports.ts';
import { approversOf, idsIn, needsFourEyes } from './approval-need.ts';

type Inherited = readonly InheritedApprovers[];

/** What the runs hear that an agent starts: who is named for whole types of its tools, and who was named above it. */
export function handOnApprovers(
  { tools, base_tools }: Pick<Settings, 'tools' | 'base_tools'>,
  above: Inherited = [],
): Inherited {
  const own = [...base_tools, ...tools].map(
    (entry): InheritedApprovers => ({
      ...{ type: entry.type, approvers: idsIn(entry['approvers']), approver_groups: idsIn(entry['approver_groups']) },
      ...(entry['four_eyes'] === true && { four_eyes: true }),
    }),
  );
  return joinApprovers(above, own.filter(isNaming));
}

const isNaming = ({ approvers, approver_groups }: InheritedApprovers) => approvers.length + approver_groups.length > 0;

/** Everybody of both lists: who was named stays named. */
const joinApprovers = (before: Inherited = [], now: Inherited = []): Inherited => [
  ...new Map([...before, ...now].map((one) => [JSON.stringify(one), one])).values(),
];

/** A scope whose runs are decided about by those who are named for the call that starts them. */
export function scopeOfCall(scope: Scope, settings: Settings, tool: Tool | undefined, input: unknown): Scope {
  const parsed = tool?.input.safeParse(input);
  const named = parsed?.success ? approversOf(settings, tool as Tool, parsed.data) : {};
  if (!tool || !scope.inherits || !named.approvers) return scope;
  const own: InheritedApprovers = {
    ...{ type: null, approvers: named.approvers, approver_groups: named.approver_groups ?? [] },
    ...(needsFourEyes(settings, tool) && { four_eyes: true }),
  };
  return { ...scope, inherits: { ...scope.inherits, approvers: joinApprovers(scope.inherits.approvers, [own]) } };
}

/** Those of them who are named for a tool, or for a step of a workflow without one. */
export function inheritedFor(tool: string | null, inherited: Inherited = []) {
  const about = inherited.filter(
    ({ type }) => type === null || (tool !== null && (tool === type || tool.startsWith(`${type}_`))),
  );
  return {
    approvers: about.flatMap((one) => one.approvers),
    approver_groups: about.flatMap((one) => one.approver_groups),
    four_eyes: about.some((one) => one.four_eyes === true),
  };
}

interface Named {
  approvers?: readonly string[];
  approver_groups?: readonly string[];
}

/** Everybody who is named, by the run itself or from above; without anybody, nothing. */
export function withInherited(
  own: Named,
  above: Required<Named>,
): { approvers?: string[]; approver_groups?: string[] } {
  const approvers = [...new Set([...(own.approvers ?? []), ...above.approvers])];
  const approver_groups = [...new Set([...(own.approver_groups ?? []), ...above.approver_groups])];
  return approvers.length + approver_groups.length > 0 ? { approvers, approver_groups } : {};
}
