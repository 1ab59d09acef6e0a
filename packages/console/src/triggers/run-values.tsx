import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../api/session.ts';
import { asBox } from '../forms/controls/control-props.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';
import type { Graph } from '../workflows/graph/graph-types.ts';
import { type RunInput, readInput, runInputsOf } from '../workflows/run/run-inputs.ts';
import type { TriggerOwner } from './triggers.ts';

const words = agentTabTexts.triggers.runValues;

/** The inputs of the workflow that a trigger starts; none of an agent. */
export function useRunInputs({ kind, id }: TriggerOwner): RunInput[] {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'workflows', 'inputs', id],
    queryFn: async () => runInputsOf((await client.workflows.get(id)).definition as unknown as Graph),
    enabled: kind === 'workflow',
  });
  return data ?? [];
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The value of an input, which may stand under its name or under the id of its step. */
const valueIn = (values: unknown, { id, label }: RunInput) => asBox(values)[label] ?? asBox(values)[id];

/** The inputs without which a run of the workflow fails and which these values do not give. */
export const missingIn = (inputs: readonly RunInput[], values: unknown): RunInput[] =>
  inputs.filter((input) => input.isRequired && textOf(valueIn(values, input)).trim() === '');

interface RunValuesProps {
  inputs: readonly RunInput[];
  value: unknown;
  /** Every message can bring the values, too. */
  ofMessages: boolean;
  /** Whether to say which values are missing. */
  checked: boolean;
  onChange: (value: Record<string, unknown>) => void;
}

/** One field for each input of the workflow. */
export function RunValues({ inputs, value, ofMessages, checked, onChange }: RunValuesProps) {
  const missing = new Set(missingIn(inputs, value).map(({ id }) => id));
  const set = (input: RunInput, text: string) => {
    const { [input.label]: _, [input.id]: __, ...others } = asBox(value);
    onChange(text === '' ? others : { ...others, [input.label]: readInput(input.kind, text) });
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-3 border border-line p-3.5">
      <legend className="px-1 text-label font-medium">{words.title}</legend>
      <p className="text-dense text-text-2">{ofMessages ? words.helpOfMessages : words.help}</p>
      {inputs.map((input) => (
        <Field
          key={input.id}
          label={input.label}
          error={checked && !ofMessages && missing.has(input.id) ? words.needed : undefined}
        >
          <TextInput value={textOf(valueIn(value, input))} onChange={({ target }) => set(input, target.value)} />
        </Field>
      ))}
    </fieldset>
  );
}
