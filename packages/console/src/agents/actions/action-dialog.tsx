import { useRef, useState } from 'react';
import { asBox, asText } from '../../forms/controls/control-props.ts';
import { KeyValueControl } from '../../forms/controls/key-value-control.tsx';
import { NestedFields } from '../../forms/controls/nested-fields.tsx';
import { TemplateInput } from '../../forms/controls/template-control.tsx';
import type { NestedField, ValueField } from '../../forms/form-types.ts';
import { actionTexts } from '../../text/agent-actions.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { checkAction } from './check-action.ts';
import { ParameterRows } from './parameter-rows.tsx';
import { bodyOf, bodyText } from './parameters.ts';
import { type Entry, TryAction } from './try-action.tsx';

const words = actionTexts.fields;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));
const headersField = { control: 'key_value', label: words.headers, default: null } as ValueField;
const ownFields = ['name', 'description', 'method', 'url', 'headers', 'body', 'input_schema', 'enabled'];

interface ActionDialogProps {
  agent_id: string;
  /** The fields that the server names for an action; those without a place of their own stand at the end. */
  fields: readonly NestedField[];
  action: Entry;
  isNew: boolean;
  /** The names of the other actions. */
  taken: readonly string[];
  /** Puts it into the draft. Answers what the server finds wrong with it, by field. */
  onSave: (action: Entry) => Promise<Readonly<Record<string, string>>>;
  onClose: () => void;
}

/** One action as a form: what it is called, the request, its parameters; and the trial of it. */
export function ActionDialog(props: ActionDialogProps) {
  const { agent_id, fields, isNew, taken, onSave, onClose } = props;
  const [action, setAction] = useState<Entry>(props.action);
  const [body, setBody] = useState(bodyText(action['body']));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const set = (key: string, value: unknown) => {
    const { [key]: _, ...others } = action;
    setAction(value === undefined || value === '' ? others : { ...action, [key]: value });
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name.split('.')[0] !== key)));
  };
  const show = (found: Readonly<Record<string, string>>): boolean => {
    setFaults(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return Object.keys(found).length === 0;
  };
  const check = () => show(checkAction(action, taken));
  const save = async () => {
    if (!check()) return;
    setBusy(true);
    const found = await onSave(action).finally(() => setBusy(false));
    if (show(found)) onClose();
  };
  /** A fault deeper inside, such as of one header, is shown at its field. */
  const errorOf = (key: string) =>
    faults[key] ?? Object.entries(faults).find(([name]) => name.startsWith(`${key}.`))?.[1];
  const text = (key: string) => asText(action[key]);
  const hasBody = !['GET', 'DELETE'].includes(text('method') || 'GET') || body !== '';
  const others = fields.filter(({ key }) => !ownFields.includes(key));
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={isNew ? actionTexts.addTitle : actionTexts.editTitle}
      help={actionTexts.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void save()}>
            {actionTexts.done}
          </Button>
        </>
      }
    >
      <div ref={form} className="flex flex-col gap-4.5">
        <Field label={words.name} help={words.nameHelp} error={errorOf('name')}>
          <TextInput
            data-autofocus
            value={text('name')}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => set('name', target.value)}
          />
        </Field>
        <Field label={words.description} help={words.descriptionHelp} error={errorOf('description')}>
          <TextArea value={text('description')} onChange={({ target }) => set('description', target.value)} />
        </Field>
        <div className="grid gap-3 phone:grid-cols-[7.5rem_1fr]">
          <Field label={words.method} error={errorOf('method')}>
            <Select value={text('method') || 'GET'} options={methods} onChange={(method) => set('method', method)} />
          </Field>
          <Field label={words.url} help={words.urlHelp} error={errorOf('url')}>
            <TemplateInput
              value={text('url')}
              placeholder="https://api.example.com/orders/{{id}}"
              onChange={(url) => set('url', url)}
            />
          </Field>
        </div>
        <Field group label={words.parameters} help={words.parametersHelp} error={errorOf('input_schema')}>
          <ParameterRows
            schema={action['input_schema']}
            disabled={false}
            onChange={(schema) => set('input_schema', schema)}
          />
        </Field>
        <Field group label={words.headers} help={words.headersHelp} error={errorOf('headers')}>
          <KeyValueControl
            field={headersField}
            value={action['headers']}
            onChange={(headers) => set('headers', Object.keys(asBox(headers)).length ? headers : undefined)}
          />
        </Field>
        {hasBody && (
          <Field label={words.body} help={words.bodyHelp} error={errorOf('body')}>
            <TextArea
              mono
              spellCheck={false}
              value={body}
              onChange={({ target }) => {
                setBody(target.value);
                set('body', bodyOf(target.value));
              }}
            />
          </Field>
        )}
        <TryAction {...{ agent_id, action, check }} onFaults={show} />
        {others.length > 0 && (
          <details>
            <summary className="cursor-pointer text-label font-medium">{words.more}</summary>
            <div className="pt-3">
              <NestedFields fields={others} value={action} onChange={setAction} />
            </div>
          </details>
        )}
      </div>
    </Dialog>
  );
}
