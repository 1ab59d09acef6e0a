import type { Permission } from '../permissions.ts';
import { labelFromName } from '../settings/setting-fields.ts';
import { allNodeTypes } from '../workflows/node-types/all-node-types.ts';
import { fieldsOf } from '../workflows/node-types/catalogue-entry.ts';
import type { ConfigField } from '../workflows/node-types/config-fields.ts';
import type { NodeType } from '../workflows/node-types/node-type.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FormControl, valueForm } from './form-field.ts';

const permission: Permission[] = ['flows_edit'];
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function controlOf({ text, refers_to, version_of, type }: ConfigField): FormControl | undefined {
  if (text) return text;
  if (version_of) return 'reference';
  return refers_to && (type === 'list' ? 'reference_list' : 'reference');
}

function fieldOf(node: NodeType, [key, field]: [string, ConfigField]): FormField {
  const { label = labelFromName(key), description, tooltip, tab = 'Configuration', advanced } = field.look;
  const control = controlOf(field);
  const help = asSentence(tooltip ? `${asSentence(description)} ${tooltip}` : description);
  return fieldFrom(
    valueForm(field.schema, { control }),
    { label, help, ...(advanced && { advanced }) },
    {
      ...{ key, variant: node.type, path: ['node_config', key], group: 'config', section: tab, permission },
      ...{ required: !field.optional, default: field.fallback ?? null },
      references: field.version_of ? 'workflow_version' : (field.refers_to ?? null),
    },
  );
}

/** The form of each type of node, whose fields stand in `node_config` of a node of a workflow's definition. */
export function nodeForm(): Form {
  const fields = allNodeTypes.flatMap((node) => Object.entries(fieldsOf(node)).map((entry) => fieldOf(node, entry)));
  return {
    ...{ kind: 'nodes', label: 'Steps of workflows', create: ['POST /v1/workflows'] },
    ...{ update: 'PATCH /v1/workflows/{workflow_id}', variant_path: ['type'] },
    variants: allNodeTypes.map(({ type, title, description }) => ({
      ...{ variant: type, label: title, help: asSentence(description) },
    })),
    groups: groupsOf(fields, { config: 'Configuration' }),
    fields: orderFields(fields),
  };
}
