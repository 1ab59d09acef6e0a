import { agentFields } from '../agents/schema.ts';
import type { Permission } from '../permissions.ts';
import { settingsMetadata, settingsOutline } from '../settings/metadata.ts';
import { type SettingName, settingKeys } from '../settings/settings.ts';
import { type Form, type FormField, fieldFrom, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

type RecordField = Exclude<keyof typeof agentFields, 'definition'>;
const recordTexts: Record<RecordField, FieldText> = {
  name: { label: 'Name', help: 'The name of the agent.' },
  description: { label: 'Description', help: 'What the agent is for.', control: 'long_text' },
  image_url: { label: 'Picture', help: 'The address of its picture, or the picture as a data URL.' },
  visible: { label: 'Listed for users', help: 'Whether clients list the agent for users.' },
  allow_public_access: { label: 'Meant for the public', help: 'Whether the agent is meant for the public.' },
};
const recordDefaults: Partial<Record<RecordField, unknown>> = { visible: true, allow_public_access: false };

/** The permission of the records that a setting newly refers to; a table that agents write to needs `tables_edit`. */
export const referencePermissions: Partial<Record<SettingName, Permission>> = {
  knowledge_bases: 'kbs_query',
  workflows: 'flows_run',
  agent_flow_id: 'flows_run',
  coworkers: 'agents_run',
  subagents: 'agents_run',
  tables: 'tables_read',
  variables: 'variables_read',
  databases: 'variables_read',
  agent_files: 'files_read',
};

const permission: Permission[] = ['agents_edit'];

const recordField = ([key, text]: [string, FieldText]): FormField =>
  fieldFrom(valueForm(agentFields[key as RecordField], text), text, {
    ...{ key, path: [key], group: 'record', section: 'General', permission },
    ...{ required: key === 'name', default: recordDefaults[key as RecordField] ?? null },
  });

/** The form of an agent: its own fields, and every setting. */
export function agentForm(): Form {
  const settings = settingsMetadata().map((setting): FormField => {
    const { key, group, section, label, help, control, unit, references, shownWhen, layers, lock, stricter } = setting;
    const { schema, options } = settingKeys[key];
    return fieldFrom(
      valueForm(schema, { control, ...(options && { options }) }),
      { label, help },
      {
        ...{ key, path: ['definition', key], group, section, unit, default: setting.default, references, permission },
        ...{ shown_when: shownWhen, lock, layers, class: setting.class, stricter },
        reference_permission: referencePermissions[key] ?? null,
      },
    );
  });
  return {
    ...{ kind: 'agents', label: 'Agents', create: ['POST /v1/agents'], update: 'PATCH /v1/agents/{agent_id}' },
    ...{ variant_path: null, variants: [] },
    groups: [
      { group: 'record', label: 'General', sections: ['General'] },
      ...settingsOutline.map(({ group, label, sections }) => ({ group, label, sections: [...sections] })),
    ],
    fields: orderFields([...Object.entries(recordTexts).map(recordField), ...settings]),
  };
}
