import type { ApprovalReason } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { entryAsks } from '@atrium/contract/tools/approval-rules.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { toolEntryOf } from '../settings/service.ts';
import type { Tool } from '../tools/ports.ts';

/** What a conversation that has read both must not do unasked: send something out. */
const holdsBack = (taint: ReadonlySet<Taint>) => taint.has('untrusted') && taint.has('private');

/** Why a person has to agree to a call, and exactly what it will be made with. */
export interface ApprovalNeed {
  reason: ApprovalReason;
  input: unknown;
}

/**
 * The entries of settings that speak for a tool: those it was made from, and one for all of its kind. Where the kind's
 * entry describes a single tool, as that of an action does, it says nothing of the others.
 */
export function entriesFor(
  settings: Settings,
  { tool, entries = [] }: Tool,
): readonly Readonly<Record<string, unknown>>[] {
  const kind = toolEntryOf(settings, tool);
  return kind && !entries.some(({ type }) => type === kind.type) ? [...entries, kind] : entries;
}

/**
 * Whether an actor that caused a call of this tool may not agree to it: all of the conversation's, or an entry that speaks
 * for the tool, asks for another one. Entries can hold any value; only one that clearly says no leaves it off.
 */
export const needsFourEyes = (settings: Settings, tool: Tool): boolean =>
  settings.four_eyes || entriesFor(settings, tool).some(({ four_eyes }) => four_eyes != null && four_eyes !== false);

/**
 * Whether a person has to agree to this call before it is made; null when it can be made at once. A call that would not be
 * made anyway, of a tool that is not there or with input that does not fit, is nothing to ask people about.
 */
export function approvalNeed(
  tool: Tool | undefined,
  call: ToolCallContent,
  { settings, taint, egress_approval }: { settings: Settings; taint: ReadonlySet<Taint>; egress_approval: boolean },
): ApprovalNeed | null {
  const input = tool?.input.safeParse(call.input);
  if (!tool || !input?.success) return null;
  // What is run is what the schema makes of it; rules are held against that and people are shown that.
  const needing = (reason: ApprovalReason): ApprovalNeed => ({ reason, input: input.data });
  for (const entry of entriesFor(settings, tool)) {
    const asked = entryAsks(entry, input.data);
    if (asked) return needing(asked);
  }
  if (tool.needs_approval?.(input.data)) return needing('tool');
  const sends = typeof tool.sends === 'function' ? tool.sends(input.data) : tool.sends === true;
  return egress_approval && sends && holdsBack(taint) ? needing('egress') : null;
}
