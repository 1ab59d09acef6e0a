import { useMemo } from 'react';
import { FieldInfo } from '../../forms/field-info.tsx';
import { FieldRow } from '../../forms/field-row.tsx';
import type { FormField } from '../../forms/form-types.ts';
import { useIsPhone } from '../../lib/use-is-phone.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Banner } from '../../ui/banner.tsx';
import { CodeWords } from '../../ui/code-words.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { changeStep, setConfig } from '../graph/edit-graph.ts';
import type { Step } from '../graph/graph-types.ts';
import { stepFields, textKindOf } from '../graph/step-fields.ts';
import { StepConnections } from './step-connections.tsx';
import { ExpressionField, TemplateField } from './text-fields.tsx';

const words = flowTexts.step;

/** The name, the fields and the connections of a step. Every change is one that can be undone. */
export function StepSettings({ step }: { step: Step }) {
  const { store, catalogue, mayEdit } = useEditor();
  const isOff = useIsPhone() || !mayEdit;
  const allFaults = useFlow((state) => state.faults);
  const faults = allFaults.filter((fault) => fault.step === step.id);
  const type = catalogue.get(step.type);
  const fields = useMemo(() => (type ? stepFields(type) : []), [type]);
  const change = (field: FormField, value: unknown) =>
    store.change(
      flowTexts.commands.field(field.label),
      setConfig(store.getState().graph, step.id, field.key, value === '' && !field.required ? undefined : value),
      `${step.id}.${field.key}`,
    );
  const rename = (name: string) =>
    store.change(
      flowTexts.commands.rename,
      changeStep(store.getState().graph, step.id, (old) => ({ ...old, name })),
      `${step.id} name`,
    );
  const rowOf = (field: FormField) => {
    const kind = type && textKindOf(type, field.key);
    const value = step.node_config?.[field.key];
    const text = typeof value === 'string' ? value : '';
    const common = {
      step,
      label: field.label,
      value: text,
      readOnly: isOff,
      onChange: (next: string) => change(field, next),
    };
    const error = faults.find((fault) => fault.field === field.key)?.text;
    if (kind !== 'expression' && kind !== 'template')
      return <FieldRow key={field.key} field={field} value={value} disabled={isOff} error={error} onChange={change} />;
    const TextField = kind === 'expression' ? ExpressionField : TemplateField;
    return (
      <div key={field.key} data-place={field.key}>
        <Field
          label={field.label}
          help={<CodeWords text={field.help} />}
          note={<FieldInfo field={field} />}
          error={error}
        >
          <TextField {...common} />
        </Field>
      </div>
    );
  };
  const rare = fields.filter(({ advanced }) => advanced);
  const hasRareFault = rare.some(({ key }) => faults.some(({ field }) => field === key));
  const whole = faults.filter(({ field, input }) => field === undefined && input === undefined);
  return (
    <div className="flex flex-col gap-5">
      {whole.map(({ text }) => (
        <Banner key={text} tone="bad" title={text} />
      ))}
      {!type && <Banner tone="bad" title={words.unknownType} />}
      <Field label={words.name}>
        <TextInput
          value={step.name ?? ''}
          placeholder={type?.title}
          maxLength={1000}
          readOnly={isOff}
          onChange={({ target }) => rename(target.value)}
        />
      </Field>
      {fields.filter(({ advanced }) => !advanced).map(rowOf)}
      <StepConnections step={step} isOff={isOff} faults={faults} />
      {rare.length > 0 && (
        <details open={hasRareFault || undefined}>
          <summary className="cursor-pointer text-label font-medium text-text-2 hover:text-text">{words.rare}</summary>
          <div className="mt-4 flex flex-col gap-5">{rare.map(rowOf)}</div>
        </details>
      )}
    </div>
  );
}
