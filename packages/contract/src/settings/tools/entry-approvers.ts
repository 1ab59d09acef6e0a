import { isSameJson } from '../../same-json.ts';
import * as s from '../../schema/schema.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lists whose entries are tools, and may name who decides about their calls. */
export const toolLists = [
  ...(['workflows', 'coworkers', 'subagents', 'tables', 'databases', 'mcp_servers', 'actions'] as const),
  ...(['tools', 'base_tools'] as const),
] as const;

/** The fields of an entry that name who decides, with the kind of their ids. */
export const approverFields = { approvers: 'person', approver_groups: 'user_group' } as const;

export const approverIds = s.list(s.uuid(), { max: 100 });

/** The fields by which an entry names who decides about its calls. */
export const entryApprovers = {
  approvers: s
    .optional(approverIds)
    .describe('The ids of the people who decide about calls that wait. Without people and groups: everybody who may.'),
  approver_groups: s
    .optional(approverIds)
    .describe('The ids of user groups whose people decide about calls that wait.'),
};

const isEntry = (entry: unknown): entry is Fields => typeof entry === 'object' && entry !== null;
const entriesIn = (settings: Fields, list: (typeof toolLists)[number]): Fields[] =>
  ((settings[list] ?? []) as unknown[]).filter(isEntry);
const namedBy = (entry: Fields) =>
  Object.keys(approverFields).flatMap((field) => (Array.isArray(entry[field]) ? (entry[field] as unknown[]) : []));

const identity = ['type', 'id', 'name', 'url', 'kb_id', 'workflow_id', 'agent_id'] as const;
const isSameTool = (one: Fields, other: Fields) => identity.every((field) => isSameJson(one[field], other[field]));

/** Whether a layer names anybody who decides. */
export const namesApprovers = (settings: Fields | null): boolean =>
  settings !== null && toolLists.some((list) => entriesIn(settings, list).some((entry) => namedBy(entry).length > 0));

/**
 * The settings of a conversation that names others than its agent, or the first. Who is named there was not chosen by an editor
 * of the agent, so with them the entry has four eyes: a caller that names itself does not decide about its own calls.
 */
export function withFourEyesOfAdded<S extends object>(settings: S, base: object): S {
  const changed = toolLists.flatMap((list) => {
    const before = entriesIn(base as Fields, list);
    const entries = (settings as Fields)[list] as unknown[] | undefined;
    const after = entries?.map((entry) => {
      if (!isEntry(entry)) return entry;
      const known = namedBy(before.find((other) => isSameTool(other, entry)) ?? {});
      const isAdded = namedBy(entry).some((id) => !known.includes(id));
      return isAdded ? { ...entry, four_eyes: true } : entry;
    });
    return after ? [[list, after] as const] : [];
  });
  return { ...settings, ...Object.fromEntries(changed) };
}
