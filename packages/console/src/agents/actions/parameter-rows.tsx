import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { JsonControl } from '../../forms/controls/json-control.tsx';
import type { ValueField } from '../../forms/form-types.ts';
import { actionTexts } from '../../text/agent-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { type Parameter, parametersOf, parameterTypes, schemaOf } from './parameters.ts';

const words = actionTexts.parameter;
const typeOptions = parameterTypes.map((value) => ({ value, label: words.types[value] }));
const jsonField = { control: 'json', label: actionTexts.jsonLabel, default: null } as ValueField;

interface ParameterRowsProps {
  schema: unknown;
  disabled: boolean;
  onChange: (schema: Record<string, unknown> | undefined) => void;
}

/** The parameters of an action as rows; their JSON Schema on request, or where rows can't say it all. */
export function ParameterRows({ schema, disabled, onChange }: ParameterRowsProps) {
  const read = parametersOf(schema);
  /** A row without a name is no part of the schema yet. */
  const [rows, setRows] = useState<Parameter[]>(read ?? []);
  const [asJson, setAsJson] = useState(false);
  const change = (next: Parameter[]) => {
    setRows(next);
    onChange(schemaOf(next, schema));
  };
  const set = (index: number, part: Partial<Parameter>) =>
    change(rows.map((row, other) => (other === index ? { ...row, ...part } : row)));
  const isJson = asJson || read === undefined;
  const toggle = () => {
    // What was typed as JSON becomes the rows.
    if (asJson) setRows(read ?? []);
    setAsJson(!asJson);
  };
  return (
    <div className="flex flex-col gap-2">
      {read === undefined && <p className="text-dense text-text-2">{actionTexts.onlyJson}</p>}
      {isJson ? (
        <JsonControl
          field={jsonField}
          value={schema}
          disabled={disabled}
          onChange={(next) => onChange((next ?? undefined) as Record<string, unknown> | undefined)}
        />
      ) : (
        rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed.
          <ParameterRow key={index} {...{ row, index, disabled }} onChange={(part) => set(index, part)}>
            {!disabled && (
              <IconButton
                label={words.remove(row.name || words.row(index + 1))}
                icon={<Trash2 size={15} />}
                onClick={() => change(rows.filter((_, other) => other !== index))}
              />
            )}
          </ParameterRow>
        ))
      )}
      {!isJson && rows.length === 0 && <p className="text-dense text-text-3">{words.fromPlaces}</p>}
      <div className="flex flex-wrap gap-2">
        {!isJson && !disabled && (
          <Button size="small" icon={<Plus size={14} />} onClick={() => setRows([...rows, blank])}>
            {words.add}
          </Button>
        )}
        {read !== undefined && (
          <Button size="small" look="ghost" onClick={toggle}>
            {asJson ? actionTexts.hideJson : actionTexts.showJson}
          </Button>
        )}
      </div>
    </div>
  );
}

const blank: Parameter = { name: '', type: 'string', description: '', required: true, more: {} };

interface ParameterRowProps {
  row: Parameter;
  index: number;
  disabled: boolean;
  onChange: (part: Partial<Parameter>) => void;
  children: React.ReactNode;
}

function ParameterRow({ row, index, disabled, onChange, children }: ParameterRowProps) {
  const of = (part: string) => `${words.row(index + 1)}, ${part}`;
  return (
    <fieldset
      disabled={disabled}
      className="grid grid-cols-[1fr_auto] items-center gap-2 rounded-3 border border-line p-2 phone:grid-cols-[9rem_10rem_1fr_auto_auto] phone:rounded-none phone:border-0 phone:p-0"
    >
      <legend className="sr-only">{row.name || words.row(index + 1)}</legend>
      <TextInput
        mono
        aria-label={of(words.name)}
        placeholder={words.name}
        value={row.name}
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value.trim() })}
      />
      <Select
        aria-label={of(words.type)}
        value={row.type}
        options={typeOptions}
        onChange={(type) => onChange({ type: type as Parameter['type'] })}
      />
      <TextInput
        aria-label={of(words.description)}
        placeholder={words.description}
        value={row.description}
        className="max-phone:col-span-2"
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <Checkbox label={words.required} checked={row.required} onChange={(required) => onChange({ required })} />
      {children}
    </fieldset>
  );
}
