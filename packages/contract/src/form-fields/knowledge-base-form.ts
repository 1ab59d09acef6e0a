import { kbCreate } from '../knowledge-bases/inputs.ts';
import { kbSettingKeys } from '../knowledge-bases/settings/keys.ts';
import { kbSettingsMetadata, kbSettingsOutline } from '../knowledge-bases/settings/metadata.ts';
import type { Permission } from '../permissions.ts';
import { type Form, type FormField, fieldFrom, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

type RecordField = Exclude<keyof typeof kbCreate.shape, 'settings_'>;
const recordTexts: Record<RecordField, FieldText> = {
  name: { label: 'Name', help: 'The name; agents choose a knowledge base by it.' },
  description: { label: 'Description', help: 'What the documents are about.', control: 'long_text' },
  document_types: { label: 'Kinds of documents', help: 'Labels for the kinds of documents; not used by the server.' },
  kb_type: { label: 'Kind', help: 'A label for the kind of knowledge base.', control: 'none' },
  version: { label: 'Version mark', help: 'A version mark of the client.', control: 'none' },
  meta: { label: 'Data of the client', help: 'Stored as it is; it has no effect on the server.', control: 'none' },
};
const recordDefaults: Partial<Record<RecordField, unknown>> = {
  ...{ document_types: [], kb_type: 'entity', version: 'v2', meta: {} },
};
const permission: Permission[] = ['kbs_edit'];

const recordField = ([key, text]: [string, FieldText]): FormField =>
  fieldFrom(valueForm(kbCreate.shape[key as RecordField], text), text, {
    ...{ key, path: [key], group: 'record', section: 'General', permission },
    ...{ required: key === 'name', default: recordDefaults[key as RecordField] ?? null },
  });

/** The form of a knowledge base: its own fields, and every setting. */
export function knowledgeBaseForm(): Form {
  const settings = kbSettingsMetadata().map((setting): FormField => {
    const { key, group, section, label, help, control, unit, layers, shownWhen } = setting;
    const { schema, options } = kbSettingKeys[key];
    return fieldFrom(
      valueForm(schema, { control, ...(options && { options }) }),
      { label, help },
      {
        ...{ key, path: ['settings_', key], group, section, unit, default: setting.default, permission },
        ...{ shown_when: shownWhen, layers, pending: setting.needsReindex },
      },
    );
  });
  return {
    ...{ kind: 'knowledge-bases', label: 'Knowledge bases', create: ['POST /v1/knowledge-bases'] },
    ...{ update: 'PATCH /v1/knowledge-bases/{knowledge_base_id}', variant_path: null, variants: [] },
    groups: [
      { group: 'record', label: 'General', sections: ['General'] },
      ...kbSettingsOutline.map(({ group, label, sections }) => ({ group, label, sections: [...sections] })),
    ],
    fields: orderFields([...Object.entries(recordTexts).map(recordField), ...settings]),
  };
}
