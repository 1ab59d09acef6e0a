import type { Form, FormField } from '../../forms/form-types.ts';
import { agentTexts } from '../../text/agents.ts';

export type GroupId = keyof typeof agentTexts.groups;
type ServerGroup = Pick<FormField, 'group' | 'section' | 'key'>;

/** Where the sections of the server's groups stand in the editor. What is not named here is in the last group. */
const placed: Readonly<Record<string, Readonly<Record<string, GroupId>>>> = {
  record: { General: 'general' },
  capabilities: {
    Instructions: 'instructions',
    Tools: 'tools',
    'Knowledge and data': 'knowledge',
    'Team of agents': 'team',
    Insights: 'insights',
  },
  model: {
    ...{ 'Model choice': 'model', Sampling: 'model', Reasoning: 'model', Reliability: 'model', Prompt: 'model' },
    ...{ Context: 'model', Limits: 'limits', 'Tool calls': 'tools' },
  },
  safety: {
    ...{ 'Personal data': 'safety', Guardrails: 'safety', Violations: 'safety', 'Prompt protection': 'safety' },
    Approvals: 'people',
  },
  display: {
    ...{ Chat: 'conversation', 'Reasoning and tool calls': 'conversation', Sources: 'conversation' },
    ...{ Channels: 'conversation', Titles: 'conversation', Feedback: 'conversation' },
  },
};

/** What matters most stands first in its group; the others keep the server's order. */
const first = [
  ...['persona', 'tone', 'extra_instructions', 'languages', 'default_language'],
  ...['base_tools', 'model', 'auto_model_pick', 'temperature', 'knowledge_bases', 'tables'],
];

/** Settings that are written as JSON, for those who know what they do. */
const forExperts = ['tools'];

export const groupOf = ({ group, section, key }: ServerGroup): GroupId =>
  forExperts.includes(key) ? 'advanced' : (placed[group]?.[section] ?? 'advanced');

export interface EditorSection {
  name: string;
  fields: FormField[];
}
export interface EditorGroup {
  id: GroupId;
  label: string;
  sections: EditorSection[];
}

/** A switch that others depend on stands before them. */
function afterConditions(fields: readonly FormField[]): FormField[] {
  const ordered = new Set<FormField>();
  const add = (field: FormField) => {
    const { shown_when } = field;
    const conditions = !shown_when ? [] : 'all' in shown_when ? shown_when.all : shown_when.any;
    const needed = fields.filter(({ key }) => conditions.some((condition) => condition.key === key));
    for (const other of needed) if (other !== field && !ordered.has(other)) add(other);
    ordered.add(field);
  };
  fields.forEach(add);
  return [...ordered];
}

const rank = ({ key }: FormField) => (first.includes(key) ? first.indexOf(key) : first.length);

/** The fields of the server's form in the groups of the editor. */
export function outlineOf(form: Pick<Form, 'fields'>): EditorGroup[] {
  return (Object.keys(agentTexts.groups) as GroupId[]).map((id) => {
    const fields = form.fields.filter((field) => groupOf(field) === id);
    const names = [...new Set(fields.map(({ section }) => section))];
    const sections = names.map((name) => ({
      name,
      fields: afterConditions(
        fields.filter(({ section }) => section === name).sort((one, other) => rank(one) - rank(other)),
      ),
    }));
    // A section that has what matters most comes before the others.
    const best = ({ fields: each }: EditorSection) => Math.min(...each.map(rank));
    sections.sort((one, other) => best(one) - best(other));
    return { id, label: agentTexts.groups[id], sections };
  });
}
