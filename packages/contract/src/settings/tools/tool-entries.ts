import * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { baseToolFields, type ToolEntry } from './base-tools.ts';
import { otherToolFields } from './other-tools.ts';

type Context = Pick<z.core.$RefinementCtx, 'issues'>;
type Issue = z.core.$ZodRawIssue;

/** The path of a validation error names the tool's type before the field, as it does for tagged unions. */
const addIssueAt = (context: Context, tag: string, field: string, issue: Issue) =>
  context.issues.push({ ...issue, path: [field], params: Object.assign({}, issue.params, { tag }) });

/** An entry with its known fields parsed; null counts as left out, and unknown fields are kept. */
function readKnown(entry: ToolEntry, context?: Context): ToolEntry {
  const fields = baseToolFields.get(entry.type) ?? otherToolFields.get(entry.type);
  const read = Object.entries(entry).flatMap(([name, value]) => {
    const schema = fields?.get(name);
    if (!schema) return [[name, value]];
    if (value === null) return [];
    const parsed = schema.safeParse(value);
    if (parsed.success) return [[name, parsed.data]];
    if (context) for (const issue of parsed.error.issues) addIssueAt(context, entry.type, name, issue as Issue);
    return [];
  });
  return { ...Object.fromEntries(read), type: entry.type };
}

const typed = z.looseObject({ type: s.str({ min: 1 }).describe('The type of the tool; it decides the other fields.') });

/** Changes to base tools, by type. Unknown types are kept for newer clients. */
export const baseToolOverrides: z.ZodType<ToolEntry[], ToolEntry[]> = s.list(
  typed.transform((entry, context) => readKnown(entry, context)),
);

/** The entry that gives an agent a sandbox, with its fields parsed; undefined when there is none. */
export function sandboxEntry(tools: readonly ToolEntry[]): ToolEntry | undefined {
  const read = tools.filter(({ type }) => type === 'sandbox').map((entry) => readKnown(entry));
  return read.find(({ enabled }) => enabled !== false);
}

const needs = new Map([
  ['kb_qa', 'kb_id'],
  ['workflow', 'workflow_id'],
]);
const missing = { type: 'missing', msg: 'Field required' };
const noString = { type: 'string_type', msg: 'Input should be a valid string' };

/** An entry of `tools`: checked if its type is known, and stored exactly as it was sent. */
export const toolEntry: z.ZodType<ToolEntry, ToolEntry> = typed.transform((entry, context) => {
  readKnown(entry, context);
  const needed = needs.get(entry.type);
  const given = needed === undefined ? '' : entry[needed];
  if (needed !== undefined && typeof given !== 'string') {
    const refusal = given == null ? missing : noString;
    addIssueAt(context, entry.type, needed, {
      code: 'custom',
      input: given,
      params: { refusal },
    });
  }
  return entry;
});

/** Tools after changes: known types keep their place, new ones follow. Of changes to one field the last wins. */
export function mergeTools(tools: readonly ToolEntry[], changes: readonly ToolEntry[]): ToolEntry[] {
  const merged = new Map<string, ToolEntry>();
  for (const list of [tools, changes])
    for (const tool of list) merged.set(tool.type, { ...merged.get(tool.type), ...tool });
  return [...merged.values()];
}

/** The changes that entries of `tools` make to base tools; such an entry enables its tool unless it says otherwise. */
export const baseChangesIn = (tools: readonly ToolEntry[]): ToolEntry[] =>
  tools.filter(({ type }) => baseToolFields.has(type)).map((entry) => ({ enabled: true, ...readKnown(entry) }));
