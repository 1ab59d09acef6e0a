import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Switch } from '../../ui/switch.tsx';
import type { ValueField } from '../form-types.ts';
import { ChoiceControl, MultiChoiceControl } from './choice-control.tsx';
import { asBox, type ControlProps } from './control-props.ts';
import { JsonControl } from './json-control.tsx';
import { ListControl } from './list-control.tsx';
import { NestedFields } from './nested-fields.tsx';
import { NumberControl } from './number-control.tsx';
import { ReferenceControl } from './reference-control.tsx';
import { ReferenceListControl } from './reference-list-control.tsx';
import { TemplateControl } from './template-control.tsx';
import { ColorControl, LongTextControl, SecretControl, TextControl, TimeZoneControl } from './text-controls.tsx';

// These are loaded when a form has one.
const EntriesControl = lazyPart(() =>
  import('./entries-control.tsx').then(({ EntriesControl }) => ({ default: EntriesControl })),
);
const GuardrailControl = lazyPart(() =>
  import('./guardrail-control.tsx').then(({ GuardrailControl }) => ({ default: GuardrailControl })),
);
const KeyValueControl = lazyPart(() =>
  import('./key-value-control.tsx').then(({ KeyValueControl }) => ({ default: KeyValueControl })),
);

const ModelListControl = lazyPart(() =>
  import('./model-list-control.tsx').then(({ ModelListControl }) => ({ default: ModelListControl })),
);

const SwitchControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <Switch label={field.label} checked={Boolean(value ?? field.default)} disabled={disabled} onChange={onChange} />
);

const GroupControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <NestedFields
    fields={field.fields ?? []}
    value={asBox(value ?? field.default)}
    disabled={disabled}
    onChange={onChange}
  />
);

/** The control of each kind of field. Kinds without one are edited as JSON. */
const controls: Partial<Record<ValueField['control'], ComponentType<ControlProps>>> = {
  switch: SwitchControl,
  number: NumberControl,
  text: TextControl,
  long_text: LongTextControl,
  rich_text: TemplateControl,
  template: TemplateControl,
  select: ChoiceControl,
  multi_select: MultiChoiceControl,
  list: ListControl,
  entries: EntriesControl,
  model_list: ModelListControl,
  reference: ReferenceControl,
  reference_list: ReferenceListControl,
  guardrail: GuardrailControl,
  group: GroupControl,
  key_value: KeyValueControl,
  secret: SecretControl,
  color: ColorControl,
  cron: TextControl,
  time_zone: TimeZoneControl,
  expression: TextControl,
  variable: TextControl,
};

const withoutFields = ['entries', 'group', 'reference_list'];

export function FieldControl(props: ControlProps) {
  const { field } = props;
  const hasNoFields = withoutFields.includes(field.control) && !field.fields?.length && !field.references;
  const Control = (!hasNoFields && controls[field.control]) || JsonControl;
  return (
    <Suspense>
      <Control {...props} />
    </Suspense>
  );
}

const severalControls: readonly ValueField['control'][] = [
  ...(['multi_select', 'entries', 'model_list', 'reference_list', 'guardrail', 'group', 'key_value'] as const),
  ...(['tool_list', 'color', 'json', 'none', 'list'] as const),
];

/** Whether a field has several controls, or one that a label can't point at. */
export const isGroup = (field: ValueField): boolean =>
  severalControls.includes(field.control) ||
  (field.control === 'select' && (field.options?.length ?? 0) <= 4) ||
  (field.control === 'reference' && field.references !== null);
