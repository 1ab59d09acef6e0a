import { endOfDay } from '../../lib/calendar.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';

export interface ChosenEnd {
  after: string;
  date: string;
}

export const endFault = ({ after, date }: ChosenEnd) =>
  after === 'date' && !(date && Date.parse(endOfDay(date)) > Date.now()) && words.needDate;

/** When a key ends. `keep`: the entry for the end that it has. */
export function EndFields(props: {
  end: ChosenEnd;
  keep?: string;
  error: string | undefined;
  onChange: (end: ChosenEnd) => void;
}) {
  const { end, keep, error, onChange } = props;
  const order = ['30', '90', '365', 'date', 'never'] as const;
  return (
    <>
      <Field label={words.endAfter} {...(end.after === 'never' && { help: words.neverHelp })}>
        <Select
          value={end.after}
          {...(keep && { empty: keep })}
          options={order.map((value) => ({ value, label: words.endOptions[value] }))}
          onChange={(after) => onChange({ ...end, after })}
        />
      </Field>
      {end.after === 'date' && (
        <Field label={words.endOn} error={error}>
          <TextInput type="date" value={end.date} onChange={({ target }) => onChange({ ...end, date: target.value })} />
        </Field>
      )}
    </>
  );
}
