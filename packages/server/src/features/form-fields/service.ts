import { forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import { formOf } from '@atrium/contract/form-fields/all-forms.ts';
import type { FieldKind, Form, FormField } from '@atrium/contract/form-fields/form.ts';
import type { FieldsQuery, FormAnswer } from '@atrium/contract/form-fields/schema.ts';
import { valueUnder } from '@atrium/contract/keys-of.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { isSameJson } from '@atrium/contract/same-json.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { baseChangesIn, mergeTools } from '@atrium/contract/settings/tools/tool-entries.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';
import type { FindAgent } from './ports.ts';

/** What forms of records need to know. */
export interface FormFields {
  get(scope: Scope, kind: FieldKind, query: FieldsQuery): Promise<FormAnswer>;
}

/** The value that settings as stored give a field of `agents` or `base-tools`; undefined: they do not set it. */
function valueIn(settings: SparseSettings, { key, variant, path }: FormField): unknown {
  if (variant === null) return path[0] === 'definition' ? valueUnder(settings, key) : undefined;
  const set = mergeTools(settings.base_tools ?? [], baseChangesIn(settings.tools ?? []));
  return set.find(({ type }) => type === variant)?.[key];
}

const ofVariant = (form: Form, variant: string | undefined): Form => {
  if (variant === undefined) return form;
  if (!form.variants.some((known) => known.variant === variant)) throw notFound('variant');
  return { ...form, fields: form.fields.filter((field) => field.variant === null || field.variant === variant) };
};

const kindsOfAgent: readonly FieldKind[] = ['agents', 'base-tools'];

export function makeFormFields({ findAgent }: { findAgent: FindAgent }): FormFields {
  async function addAgent(scope: Scope, form: Form, agent_id: string): Promise<FormAnswer> {
    if (!kindsOfAgent.includes(form.kind))
      throw invalid(['query', 'agent_id'], `fields of ${form.kind} do not depend on an agent`, agent_id);
    if (!allows(scope.permissions, 'agents_run')) throw forbidden(lacksPermission(scope, 'agents_run'));
    const { definition, draft_definition, locks } = await findAgent(scope, agent_id);
    const published = parseStored<SparseSettings>(definition);
    const draft = draft_definition === null ? published : parseStored<SparseSettings>(draft_definition);
    const layerOf = (field: FormField) => {
      const value = valueIn(published, field);
      if (!isSameJson(valueIn(draft, field), value)) return 'draft';
      return value === undefined || value === null ? 'default' : 'agent';
    };
    // Only an administrator of the organization turns a lock off, so the lock holds itself too.
    const lockOf = ({ key, lock }: FormField) => locks.find((on) => on.lock === lock || on.lock === key) ?? null;
    const fields = form.fields.map((field) =>
      field.path[0] === 'definition' ? { ...field, layer: layerOf(field), locked: lockOf(field) } : field,
    );
    return { ...form, fields } as FormAnswer;
  }

  return {
    async get(scope, kind, { variant, agent_id }) {
      const form = ofVariant(formOf(kind), variant);
      return agent_id === undefined ? (form as FormAnswer) : addAgent(scope, form, agent_id);
    },
  };
}
