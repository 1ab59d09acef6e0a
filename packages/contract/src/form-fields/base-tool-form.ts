import type * as z from 'zod';
import type { Permission } from '../permissions.ts';
import { onlyIf } from '../settings/key.ts';
import { baseToolFields, baseTools, type ToolEntry } from '../settings/tools/base-tools.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

const sections = { use: 'Use', approvals: 'Approvals', look: 'Look' } as const;
type Section = keyof typeof sections;

/** The fields that every base tool has, in the order of a form. */
const commonTexts: Record<string, FieldText & { section: Section }> = {
  enabled: { label: 'On', help: 'Whether the agent has the tool.', section: 'use' },
  requires_approval: {
    label: 'Ask before each call',
    help: 'A person approves each call before it is made.',
    section: 'approvals',
  },
  approval_rules: {
    label: 'Ask when',
    help: 'A person approves the calls whose arguments one of these rules fits. Empty: no rule asks.',
    section: 'approvals',
  },
  four_eyes: {
    label: 'Four eyes',
    help: 'The person or key that caused a call can not approve it.',
    section: 'approvals',
  },
  approvers: {
    label: 'Approvers',
    help: 'The people who decide. Without people and groups everybody decides who may.',
    section: 'approvals',
    control: 'reference_list',
    references: 'person',
  },
  approver_groups: {
    label: 'Groups of approvers',
    help: 'The user groups whose people decide. When nobody named is active, administrators of the workspace do.',
    section: 'approvals',
    control: 'reference_list',
    references: 'user_group',
  },
  approval_timeout: {
    label: 'Time to approve',
    help: 'After this time an unanswered request counts as refused. Empty: the request waits.',
    unit: 'seconds',
    section: 'approvals',
  },
  title: { label: 'Title', help: 'The name of the tool on screens.', section: 'look' },
  description: { label: 'Description', help: 'What screens say about the tool.', section: 'look' },
  category: { label: 'Category', help: 'The category that screens list the tool in.', section: 'look', advanced: true },
  visible: { label: 'Listed', help: 'Whether screens list the tool for users.', section: 'look' },
  icon: { label: 'Icon', help: 'The name of its icon in lists.', section: 'look' },
  icon_color: { label: 'Colour of the icon', help: 'The colour of its icon, as `#rrggbb`.', section: 'look' },
  bg_color: { label: 'Background', help: 'The colour behind its icon, as `#rrggbb` or `#rrggbbaa`.', section: 'look' },
  tool_display_icon: {
    label: 'Icon of a call',
    help: 'The name of the icon that a call is shown with.',
    section: 'look',
  },
  tool_display_message_start: {
    label: 'Text during a call',
    help: 'The text that users see while a call is under way.',
    section: 'look',
  },
  tool_display_message_end: {
    label: 'Text after a call',
    help: 'The text that users see when a call has ended.',
    section: 'look',
  },
  chatflow_usable: {
    label: 'Usable in flows',
    help: 'Whether screens offer the tool in flows; stored for clients.',
    section: 'look',
    advanced: true,
  },
  deprecated: {
    label: 'Deprecated',
    help: 'Whether screens mark the tool as outdated; stored for clients.',
    section: 'look',
    advanced: true,
  },
};

/** The fields of single tools, by type. */
const ownTexts: Record<string, Record<string, FieldText>> = {
  human_in_the_loop: {
    has_timeout: { label: 'Do not wait for ever', help: 'After the time below the agent goes on without an answer.' },
    timeout: {
      label: 'Time to answer',
      help: 'How long a question waits for a person.',
      unit: 'seconds',
      shown_when: onlyIf('has_timeout', true),
    },
    handover_message: { label: 'Handover message', help: 'The text that users see when a person takes over.' },
  },
  files: {
    allow_html_graphs: {
      label: 'Interactive charts',
      help: 'The agent may draw charts as HTML, which runs no script.',
    },
    show_inline: { label: 'Show in the reply', help: 'Files are shown in the reply itself. Off: as links.' },
    custom_author_name: { label: 'Own author', help: 'Documents name the author below.' },
    author_name: {
      label: 'Author',
      help: 'The author in the metadata of documents.',
      shown_when: onlyIf('custom_author_name', true),
    },
    enable_python_sandbox: {
      label: 'Make files by code',
      help: 'The agent may make files by Python code in a sandbox.',
    },
    enable_formula_eval: {
      label: 'Compute formulas',
      help: 'Formulas of spreadsheets are computed before a file is kept.',
    },
    experimental: { label: 'More formats', help: 'Adds Markdown, PowerPoint and JSON to the formats.' },
  },
  code_execution: {
    timeout: { label: 'Time limit', help: 'Code that takes longer is ended.', unit: 'seconds' },
  },
  todos: { enable_subtasks: { label: 'Subtasks', help: 'A to-do may be a part of another.' } },
};

const permission: Permission[] = ['agents_edit'];
/** Tools that run code need the permission to run sandboxes when they are turned on. */
const switchedBy: Record<string, string> = { code_execution: 'enabled', files: 'enable_python_sandbox' };

function fieldsOf(tool: ToolEntry): FormField[] {
  const schemas = baseToolFields.get(tool.type) as ReadonlyMap<string, z.ZodType>;
  const own = Object.entries(ownTexts[tool.type] ?? {});
  const texts = [
    ...Object.entries(commonTexts).slice(0, 1),
    ...own.map(([key, text]): [string, FieldText & { section: Section }] => [key, { ...text, section: 'use' }]),
    ...Object.entries(commonTexts).slice(1),
  ];
  return texts.map(([key, { section, ...text }]) =>
    fieldFrom(valueForm(schemas.get(key) as z.ZodType, text), text, {
      ...{ key, variant: tool.type, path: ['definition', 'base_tools', tool.type, key], permission },
      ...{ group: 'tool', section: sections[section], default: tool[key] ?? null, layers: ['agent', 'conversation'] },
      ...{ class: 'capability', reference_permission: switchedBy[tool.type] === key ? 'sandboxes_run' : null },
    }),
  );
}

/** The form of each of the ten base tools, which an agent's `base_tools` changes by type. */
export function baseToolForm(): Form {
  const fields = baseTools.flatMap(fieldsOf);
  return {
    ...{ kind: 'base-tools', label: 'Built-in tools', create: ['POST /v1/agents'], variant_path: null },
    update: 'PATCH /v1/agents/{agent_id}',
    variants: baseTools.map(({ type, title, description }) => ({
      ...{ variant: type, label: String(title), help: `${description}.` },
    })),
    groups: groupsOf(fields, { tool: 'Tool' }),
    fields: orderFields(fields),
  };
}
