import { AtriumError } from '@atrium/sdk';
import { type FormEvent, useId, useState } from 'react';
import { describeFailure, type Failure } from '../../api/failures.ts';
import { FieldControl } from '../../forms/controls/field-control.tsx';
import type { ValueField } from '../../forms/form-types.ts';
import { t } from '../../text/en.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { useEditor } from '../editor/editor-context.ts';
import { type RunInput, readInput, runInputsOf } from './run-inputs.ts';
import { useRunActions } from './use-run-actions.ts';

const words = flowTexts.run;

/** The values typed last, by workflow: the next try most often takes the same. */
const typedLast = new Map<string, Record<string, string>>();

/** Asks for the values of the inputs and starts a run. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const { store } = useEditor();
  const actions = useRunActions();
  const formId = useId();
  const { workflow, graph } = store.getState();
  const inputs = runInputsOf(graph);
  const [typed, setTyped] = useState<Record<string, string>>(() => ({
    ...Object.fromEntries(inputs.map(({ id, begin }) => [id, begin])),
    ...typedLast.get(workflow.id),
  }));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFaults({});
    setFailure(undefined);
    typedLast.set(workflow.id, typed);
    const given = inputs.filter(({ id, isRequired }) => isRequired || typed[id]);
    const input = Object.fromEntries(
      given.map(({ id, kind }) => [
        id,
        kind === 'File' ? { uri: `store://${typed[id] ?? ''}` } : readInput(kind, typed[id] ?? ''),
      ]),
    );
    try {
      await actions.start(input);
      onClose();
    } catch (error) {
      const found = error instanceof AtriumError ? error.faults : [];
      const byInput = Object.fromEntries(
        found.flatMap(({ loc, msg }) => {
          const name = String(loc[2] ?? '').split('::')[0];
          const one = inputs.find(({ id, label }) => id === name || label === name);
          return one ? [[one.id, msg.replace(/^Value error, /, '')]] : [];
        }),
      );
      setFaults(byInput);
      if (Object.keys(byInput).length === 0) setFailure(describeFailure(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(workflow.name)}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {inputs.map((input, index) => (
          <InputField
            key={input.id}
            input={input}
            isFirst={index === 0}
            error={faults[input.id]}
            value={typed[input.id] ?? ''}
            onChange={(value) => setTyped((old) => ({ ...old, [input.id]: value }))}
          />
        ))}
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}

const fileField = (label: string): ValueField => ({
  ...{ key: 'file', label, help: '', required: false, default: null, control: 'reference', type: 'string' },
  ...{ write_only: false, bounds: {}, options: null, items: null, references: 'file' },
});

interface InputFieldProps {
  input: RunInput;
  value: string;
  error: string | undefined;
  isFirst: boolean;
  onChange: (value: string) => void;
}

function InputField({ input: { label, kind }, value, error, isFirst, onChange }: InputFieldProps) {
  const focus = isFirst ? { 'data-autofocus': true } : {};
  if (kind === 'File')
    return (
      <Field label={label} error={error} group>
        <FieldControl field={fileField(label)} value={value} onChange={(next) => onChange(String(next ?? ''))} />
      </Field>
    );
  const isPlain = ['int', 'float', 'bool'].includes(kind);
  return (
    <Field label={label} error={error} {...(kind !== 'str' && !isPlain && { note: words.json })}>
      {isPlain ? (
        <TextInput {...focus} value={value} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <TextArea {...focus} mono={kind !== 'str'} value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}
