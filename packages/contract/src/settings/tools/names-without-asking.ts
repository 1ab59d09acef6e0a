import type { Settings } from '../settings.ts';
import { approverFields, toolLists } from './entry-approvers.ts';

type Fields = Readonly<Record<string, unknown>>;
export type ToolList = (typeof toolLists)[number];

/** How the names of the tools begin that the entries of a list stand for. */
const kinds: Partial<Record<ToolList, string>> = {
  ...{ workflows: 'workflow', coworkers: 'coworker', subagents: 'subagents', tables: 'tables' },
  ...{ databases: 'databases', mcp_servers: 'mcp', actions: 'action' },
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const asks = ({ requires_approval, approval_rules }: Fields) => requires_approval === true || isList(approval_rules);
const entriesIn = (settings: Settings, list: ToolList) =>
  (settings[list] as readonly unknown[]).filter(
    (entry): entry is Fields => typeof entry === 'object' && entry !== null && (entry as Fields)['enabled'] !== false,
  );

/** Whether an entry makes people be asked about calls of the tools that this one stands for. */
function isAsked(settings: Settings, list: ToolList, entry: Fields): boolean {
  const asking = (other: ToolList) => entriesIn(settings, other).filter(asks);
  const kind = kinds[list];
  if (kind) return asking(list).length > 0 || asking('tools').some(({ type }) => String(type).startsWith(kind));
  const type = String(entry['type']);
  const records = toolLists.filter((other) => kinds[other] && type.startsWith(kinds[other]));
  return (
    [...asking('tools'), ...asking('base_tools')].some((other) => other['type'] === type) ||
    records.some((other) => asking(other).length > 0)
  );
}

/** The first field of a list that names who decides about calls that need no approval, such as `databases.approvers`. */
export function findNamesWithoutAsking(settings: Settings, list: ToolList): string | undefined {
  for (const entry of entriesIn(settings, list)) {
    // Entries of `tools` for built-in tools are part of `base_tools`, too.
    if (list === 'base_tools' && settings.tools.some(({ type }) => type === entry['type'])) continue;
    const field = Object.keys(approverFields).find((name) => isList(entry[name]));
    if (field && !isAsked(settings, list, entry)) return `${'type' in entry ? entry['type'] : list}.${field}`;
  }
  return undefined;
}
