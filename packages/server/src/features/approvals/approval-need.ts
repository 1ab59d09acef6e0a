import type { ApprovalReason } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { entryAsks } from '@atrium/contract/tools/approval-rules.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { toolEntryOf, uuid } from '../settings/service.ts';
import type { Tool } from '../tools/ports.ts';
import { type EgressMode, needsEgressApproval } from './egress-mode.ts';

/** Why a call needs approval, and the exact input that it is made with. */
export interface ApprovalNeed {
  reason: ApprovalReason;
  input: unknown;
}

/**
 * The settings entries of a tool: those that it was made from, and the one for all tools of its kind. An entry that
 * describes a single tool, such as an action, does not apply to further tools of that kind.
 */
export function entriesFor(
  settings: Settings,
  { tool, entries = [] }: Tool,
): readonly Readonly<Record<string, unknown>>[] {
  const kind = toolEntryOf(settings, tool);
  return kind && !entries.some(({ type }) => type === kind.type) ? [...entries, kind] : entries;
}

/**
 * Whether an actor that caused a call of this tool may not approve it, by the setting four_eyes or an entry of the tool.
 * Entries can hold any value; only false and null turn it off.
 */
export const needsFourEyes = (settings: Settings, tool: Tool): boolean =>
  settings.four_eyes || entriesFor(settings, tool).some(({ four_eyes }) => four_eyes != null && four_eyes !== false);

export const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string' && uuid.test(id)) : [];

/**
 * Who is named to decide about a call of a tool, by any entry that is about the call: no entry takes the place of another,
 * so that who may write one of them does not choose who decides in place of those whom another names.
 */
export function approversOf(
  settings: Settings,
  tool: Tool,
  input: unknown,
): { approvers?: string[]; approver_groups?: string[] } {
  const { entries = [] } = tool;
  const called = tool.called?.(input) ?? entries;
  const about = entriesFor(settings, tool).filter((entry) => !entries.includes(entry) || called.includes(entry));
  const namedIn = (field: 'approvers' | 'approver_groups') => [...new Set(about.flatMap((one) => idsIn(one[field])))];
  const [approvers, approver_groups] = [namedIn('approvers'), namedIn('approver_groups')];
  return approvers.length + approver_groups.length > 0 ? { approvers, approver_groups } : {};
}

/**
 * Why a person has to approve this call before it is made; null when it can be made at once. A call that fails anyway,
 * because the tool is unknown or its input is invalid, needs no approval.
 */
export function approvalNeed(
  tool: Tool | undefined,
  call: ToolCallContent,
  { settings, taint, egress }: { settings: Settings; taint: ReadonlySet<Taint>; egress: EgressMode },
): ApprovalNeed | null {
  const input = tool?.input.safeParse(call.input);
  if (!tool || !input?.success) return null;
  // The tool runs with the parsed input, so rules check it and people see it.
  const needApproval = (reason: ApprovalReason): ApprovalNeed => ({ reason, input: input.data });
  for (const entry of entriesFor(settings, tool)) {
    const asked = entryAsks(entry, input.data);
    if (asked) return needApproval(asked);
  }
  if (tool.needs_approval?.(input.data)) return needApproval('tool');
  const sends = typeof tool.sends === 'function' ? tool.sends(input.data, taint) : tool.sends === true;
  return sends && needsEgressApproval(egress, taint) ? needApproval('egress') : null;
}
