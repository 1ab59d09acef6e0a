import { isSameJson } from '../../same-json.ts';
import type { ToolEntry } from '../tools/base-tools.ts';
import { strictness } from './strictness.ts';

type Fields = Readonly<Record<string, unknown>>;
type FieldRule = (before: unknown, after: unknown) => boolean;

const same = (a: unknown, b: unknown) => isSameJson(a, b);
const listed = (list: unknown, item: unknown) => Array.isArray(list) && list.some((one) => same(one, item));
const turnedOff: FieldRule = (_, after) => after === false;
const turnedOn: FieldRule = (_, after) => after === true;
const lowered: FieldRule = (before, after) =>
  typeof before === 'number' && typeof after === 'number' && after > 0 && after <= before;

const keepsAll: FieldRule = (before, after) =>
  Array.isArray(after) && asList(before).every((one) => listed(after, one));

/** The direction in which a field may change while the entry restricts the agent at least as much. */
const fieldRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['enabled', turnedOff],
  ['requires_approval', turnedOn],
  ['four_eyes', turnedOn],
  // A rule names when a person is asked, so another rule asks more often.
  ['approval_rules', keepsAll],
  // Who was named stays named.
  ['approvers', keepsAll],
  ['approver_groups', keepsAll],
  ['approval_timeout', lowered],
  ['max_turns', lowered],
  ['timeout', lowered],
  ['access', (_, after) => after === 'read'],
  ['trusted', turnedOff],
  ['tool_changes', (_, after) => after === 'hold'],
  // Without a list every tool of the server is offered.
  [
    'allowed_tools',
    (before, after) => Array.isArray(after) && (before == null || after.every((one) => listed(before, one))),
  ],
  ...[
    'allow_html_graphs',
    'enable_python_sandbox',
    'enable_formula_eval',
    'experimental',
    'include_execute',
    'persistent',
  ].map((name): [string, FieldRule] => [name, turnedOff]),
  ...[
    ...['visible', 'icon', 'bg_color', 'icon_color', 'tool_display_icon', 'show_inline'],
    ...['tool_display_message_start', 'tool_display_message_end'],
  ].map((name): [string, FieldRule] => [name, () => true]),
]);

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value == null ? [] : [value];
}

/** An agent that may ask a person must not be made to decide alone, by disabling the tool or shortening its timeout. */
const isFixed = ({ type }: Fields, name: string) =>
  type === 'human_in_the_loop' && (name === 'enabled' || name === 'timeout');

/** Whether an entry allows no more than it did before; a field without a rule must stay as it was. */
export function entryIsAsStrict(before: Fields, after: Fields): boolean {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((name) => {
    const [was, will] = [before[name], after[name]];
    return same(was, will) || (!isFixed(before, name) && (fieldRules.get(name)?.(was, will) ?? false));
  });
}

const fieldsOf = (entry: unknown): Fields => (typeof entry === 'string' ? { id: entry } : (entry as Fields));
const holdsBack = ({ requires_approval, approval_rules, four_eyes, chatflow_usable, ...entry }: Fields) =>
  requires_approval === true ||
  (approval_rules != null && !same(approval_rules, [])) ||
  (four_eyes != null && four_eyes !== false) ||
  asList(entry['approvers']).length > 0 ||
  asList(entry['approver_groups']).length > 0 ||
  chatflow_usable === false;

const isTurnedOff = (before: Fields, after: Fields) => before['enabled'] !== false && after['enabled'] === false;

/**
 * Entries can be removed, and change in their stricter direction. An entry that asks for approvals, needs a second person,
 * or excludes flows must stay and stay enabled: it may also apply to tools of other entries.
 */
function listIsAsStrict(before: readonly unknown[], after: readonly unknown[]): boolean {
  const [was, will] = [before.map(fieldsOf), after.map(fieldsOf)];
  const left = [...was];
  const fits = will.every((entry) => {
    const at = left.findIndex(
      (other) => entryIsAsStrict(other, entry) && !(holdsBack(other) && isTurnedOff(other, entry)),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return fits && !left.some(holdsBack);
}

export const whenEntriesAreFewer = strictness<unknown[]>('fewer entries, each as strict as it was', listIsAsStrict);
export const whenToolsAreFewer = whenEntriesAreFewer as unknown as ReturnType<typeof strictness<ToolEntry[]>>;

/** Base tools are compared after merging, so every type is present before and after. */
export const whenBaseToolsAreStricter = strictness<ToolEntry[]>(
  'turned off, or asking people more often',
  (before, after) =>
    after.every((entry) => {
      const other = before.find(({ type }) => type === entry.type);
      return other !== undefined && entryIsAsStrict(other, entry);
    }) && before.every(({ type }) => after.some((entry) => entry.type === type)),
);
