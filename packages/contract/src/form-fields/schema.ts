import * as z from 'zod';
import { agentLock } from '../agents/lock-schema.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';
import { settingClasses } from '../settings/setting-class.ts';
import { fieldKinds } from './form.ts';
import { formControls, valueTypes } from './form-field.ts';

const bounds = z
  .strictObject({
    min: z.number().optional().describe('The least value.'),
    above: z.number().optional().describe('The value has to be greater than this.'),
    max: z.number().optional().describe('The greatest value.'),
    min_length: z.int().optional().describe('The least number of characters.'),
    max_length: z.int().optional().describe('The most characters.'),
    pattern: z.string().optional().describe('A regular expression that the text has to match.'),
    min_items: z.int().optional().describe('The least number of entries.'),
    max_items: z.int().optional().describe('The most entries.'),
  })
  .meta({ id: 'FieldBounds' });
const type = z.enum(valueTypes).describe('The type of the value.');

const valueFields = {
  control: z
    .enum(formControls)
    .describe('The form element that fits. `none`: not edited by hand. `json`: any value of the type.'),
  type,
  write_only: z.boolean().describe('Whether the value is a secret, which answers show masked or not at all.'),
  bounds: bounds.describe('What the value has to keep to; a bound that is not there does not exist.'),
  options: z
    .array(
      z.strictObject({
        value: z.string().describe('The value to send.'),
        label: z.string().describe('Its name for people.'),
      }),
    )
    .nullable()
    .describe('The only values that are taken, of the value or of each entry of a list. Null: there is no such set.'),
  items: z
    .strictObject({ type, bounds: bounds.describe('What each entry has to keep to.') })
    .nullable()
    .describe('Of a list of plain values: what each entry has to be. Null: it is no such list.'),
};

const references = [
  ...['knowledge_base', 'workflow', 'agent', 'table', 'variable', 'file', 'vault_credential'],
  ...['agent_version', 'workflow_version', 'person', 'user_group'],
] as const;

const nestedField = z
  .strictObject({
    key: z.string().describe('The name of the field in the object.'),
    label: z.string().describe('Its name for people.'),
    help: z.string().describe('What it does, in a sentence.'),
    required: z.boolean().describe('Whether the object needs it.'),
    default: z.unknown().describe('Its value when it is left out. Null: none.'),
    references: z.enum(references).nullable().describe('The kind of record that its ids name. Null: none.'),
    ...valueFields,
  })
  .meta({ id: 'NestedField' });

const condition = z.strictObject({
  key: z.string().describe('The key of another field of the form.'),
  field: z.string().optional().describe('The field of its value, where that is an object.'),
  is: z.array(z.union([z.string(), z.boolean()])).describe('The condition holds while it has one of these values.'),
});
const shownWhen = z.union([
  z.strictObject({ all: z.array(condition).describe('All of these must hold.') }),
  z.strictObject({ any: z.array(condition).describe('One of these must hold.') }),
]);

const permission = z.enum(allPermissions);
const layers = [
  ...['agent', 'conversation', 'deployment', 'message', 'parent', 'knowledge_base', 'evaluation', 'record'],
] as const;

const formField = z
  .strictObject({
    key: z.string().describe('The name of the field; unique among the fields of its variant.'),
    variant: z.string().nullable().describe('The variant that has the field. Null: every variant has it.'),
    path: z
      .array(z.string())
      .describe(
        'Where the value stands in the body of a request, and in `loc` of its validation errors. An entry of `base_tools` is named by its type.',
      ),
    group: z.string().describe('The group of the form that it stands in.'),
    section: z.string().describe('The heading that it stands under in its group.'),
    order: z.int().describe('Its place in the form, from 1.'),
    label: z.string().describe('Its name for people.'),
    help: z.string().describe('What it does, in one or two sentences.'),
    unit: z.string().nullable().describe('The unit of a number. Null: it has none.'),
    required: z.boolean().describe('Whether a new record needs it.'),
    default: z.unknown().describe('The value while it is not set. Null: none.'),
    ...valueFields,
    fields: z
      .array(nestedField)
      .nullable()
      .describe('The known fields of the object, or of each entry of the list. Null: it has none.'),
    references: z
      .enum(references)
      .nullable()
      .describe('The kind of record that the value or its entries name. Null: none.'),
    shown_when: shownWhen.nullable().describe('When the field has an effect. Null: always.'),
    advanced: z.boolean().describe('Whether most people never need it.'),
    lock: z.string().nullable().describe('The setting that refuses changes while it is on. Null: none does.'),
    layers: z.array(z.enum(layers)).describe('The places that can set it, from the lowest to the highest.'),
    class: z
      .enum(settingClasses)
      .nullable()
      .describe('Of settings of agents: which permissions a change on a conversation needs. Null: no such setting.'),
    stricter: z
      .string()
      .nullable()
      .describe('The direction that callers with `agents_run` may change it in on a conversation. Null: none.'),
    permission: z.array(permission).describe('The permission that a change needs; of several, that of the record.'),
    reference_permission: permission
      .nullable()
      .describe('The permission that a change needs besides, for what the value newly refers to. Null: none.'),
    pending: z.boolean().describe('Whether documents have to be trained again before a change affects them.'),
    layer: z
      .enum(['default', 'agent', 'draft'])
      .optional()
      .describe('With `agent_id`: where the value comes from. `draft`: the draft has another value than the agent.'),
    locked: agentLock
      .nullable()
      .optional()
      .describe('With `agent_id`: the lock that is on, with who turned it on, when and why. Null: it can be changed.'),
  })
  .meta({ id: 'FormField' });

export const form = z
  .strictObject({
    kind: z.enum(fieldKinds).describe('The kind of record.'),
    label: z.string().describe('The kind of record, for people.'),
    create: z.array(z.string()).describe('The operations that create such a record.'),
    update: z.string().nullable().describe('The operation that changes one.'),
    variant_path: z
      .array(z.string())
      .nullable()
      .describe('The path of the field whose value is the variant. Null: there are no variants, or the path has it.'),
    variants: z
      .array(
        z.strictObject({
          variant: z.string().describe('The value that chooses it.'),
          label: z.string().describe('Its name for people.'),
          help: z.string().describe('What it is for.'),
        }),
      )
      .describe('The variants of the record, such as channels, each with fields of its own.'),
    groups: z
      .array(
        z.strictObject({
          group: z.string().describe('The name of the group.'),
          label: z.string().describe('Its name for people.'),
          sections: z.array(z.string()).describe('The headings in the group, in their order.'),
        }),
      )
      .describe('The groups of the form, in their order.'),
    fields: z.array(formField).describe('Every field, in the order of the form.'),
  })
  .meta({ id: 'Form' });

export const fieldsParams = s.object({ kind: s.oneOf(fieldKinds).describe('The kind of record.') });
export const fieldsQuery = s.query({
  variant: s.optional(s.str({ max: 100 })).describe('Only the fields of this variant, and those that every one has.'),
  agent_id: s
    .optional(s.uuid('agent'))
    .describe('Of `agents` and `base-tools`: adds to each field what holds for this agent. It needs `agents_run`.'),
});

export type FormAnswer = z.output<typeof form>;
export type FieldsQuery = z.output<typeof fieldsQuery>;
