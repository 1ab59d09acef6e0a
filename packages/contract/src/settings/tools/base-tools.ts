import * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { approvalOperators } from '../../tools/approval-rules.ts';
import { approverIds } from './entry-approvers.ts';

/** When a call needs approval: one of its arguments compared with a value. */
const approvalRule = z.looseObject({
  argument: s.str({ min: 1 }).describe('The argument of the call, by its path: `rows.0.amount`.'),
  operator: s.oneOf(approvalOperators).describe('How the argument is compared with the value.'),
  value: z.unknown().optional().describe('The value to compare with; a list for `one_of` and `not_one_of`.'),
});

/** The fields that every base tool has. */
const common = {
  title: s.str(),
  description: s.str(),
  category: s.str(),
  enabled: s.bool(),
  tool_display_icon: s.str(),
  tool_display_message_start: s.str(),
  tool_display_message_end: s.str(),
  requires_approval: s.bool(),
  approval_rules: s.list(approvalRule, { max: 100 }),
  four_eyes: s.bool(),
  approvers: approverIds,
  approver_groups: approverIds,
  approval_timeout: s.int({ ge: 1, le: 31_536_000 }),
  visible: s.bool(),
  icon: s.str(),
  bg_color: s.str(),
  icon_color: s.str(),
  chatflow_usable: s.bool(),
  deprecated: s.bool(),
};

export type ToolEntry = { type: string } & Record<string, unknown>;

interface Kind {
  tool: ToolEntry;
  fields: Record<string, z.ZodType>;
}

function kind(
  type: string,
  look: { title: string; description: string; icon: string; start: string; end: string; color: string },
  defaults: { enabled?: boolean; visible?: boolean } & Record<string, unknown> = {},
  extra: Record<string, z.ZodType> = {},
): Kind {
  const { enabled = false, visible = true, ...extras } = defaults;
  const tool = {
    title: look.title,
    description: look.description,
    category: 'QuickAction',
    enabled,
    tool_display_icon: look.icon,
    tool_display_message_start: look.start,
    tool_display_message_end: look.end,
    requires_approval: false,
    visible,
    icon: look.icon,
    bg_color: `${look.color}1A`,
    icon_color: look.color,
    chatflow_usable: true,
    deprecated: false,
    type,
    ...extras,
  };
  return { tool, fields: { ...common, ...extra } };
}

const kinds: Kind[] = [
  kind(
    'human_in_the_loop',
    {
      title: 'Human in the loop',
      description: 'Ask a person and wait for the answer',
      icon: 'user-check',
      start: 'Waiting for a person...',
      end: 'A person answered',
      color: '#B45309',
    },
    { has_timeout: false, handover_message: 'You are now talking to the co-worker.' },
    { has_timeout: s.bool(), timeout: s.int({ ge: 1 }), handover_message: s.str() },
  ),
  kind('web_research', {
    title: 'Web research',
    description: 'Search the web and read pages',
    icon: 'globe',
    start: 'Searching the web...',
    end: 'Searched the web',
    color: '#1D4ED8',
  }),
  kind(
    'files',
    {
      title: 'Files',
      description: 'Make documents, tables and charts',
      icon: 'file-text',
      start: 'Making a file...',
      end: 'Made a file',
      color: '#047857',
    },
    {
      allow_html_graphs: true,
      show_inline: true,
      custom_author_name: false,
      author_name: '',
      enable_python_sandbox: false,
      enable_formula_eval: false,
      experimental: false,
    },
    {
      allow_html_graphs: s.bool(),
      show_inline: s.bool(),
      custom_author_name: s.bool(),
      author_name: s.str(),
      enable_python_sandbox: s.bool(),
      enable_formula_eval: s.bool(),
      experimental: s.bool(),
    },
  ),
  kind('memory', {
    title: 'Memory',
    description: 'Remember during this conversation',
    icon: 'bookmark',
    start: 'Remembering...',
    end: 'Remembered',
    color: '#7C3AED',
  }),
  kind(
    'filesystem',
    {
      title: 'File system',
      description: "List, read, write and search the conversation's files",
      icon: 'folder',
      start: 'Looking at files...',
      end: 'Looked at files',
      color: '#4B5563',
    },
    { enabled: true, visible: false },
  ),
  kind(
    'code_execution',
    {
      title: 'Code execution',
      description: 'Run code in a sandbox',
      icon: 'terminal',
      start: 'Running code...',
      end: 'Ran code',
      color: '#BE123C',
    },
    { timeout: 60 },
    { timeout: s.int({ ge: 1, le: 86_400 }) },
  ),
  kind(
    'agent_memory',
    {
      title: 'Agent memory',
      description: 'Remember across all conversations',
      icon: 'brain',
      start: 'Remembering...',
      end: 'Remembered',
      color: '#7C3AED',
    },
    { visible: false },
  ),
  kind('documentation', {
    title: 'Documentation',
    description: 'Answer questions about this platform',
    icon: 'book-open',
    start: 'Reading the documentation...',
    end: 'Read the documentation',
    color: '#0F766E',
  }),
  kind(
    'todos',
    {
      title: 'To-dos',
      description: 'Keep a list of what is to be done',
      icon: 'list-checks',
      start: 'Updating the list...',
      end: 'Updated the list',
      color: '#C2410C',
    },
    { enable_subtasks: false },
    { enable_subtasks: s.bool() },
  ),
  kind('image_generation', {
    title: 'Image generation',
    description: 'Make images',
    icon: 'image',
    start: 'Making an image...',
    end: 'Made an image',
    color: '#A21CAF',
  }),
];

/** The ten tools that every agent has, with their defaults. */
export const baseTools: readonly ToolEntry[] = kinds.map(({ tool }) => tool);
/** The known fields of each type, by name. Maps, because types and field names come from callers. */
export const baseToolFields: ReadonlyMap<string, ReadonlyMap<string, z.ZodType>> = new Map(
  kinds.map(({ tool, fields }) => [tool.type, new Map(Object.entries(fields))]),
);
