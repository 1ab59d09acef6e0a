import { sayValue } from '../../forms/field-info.tsx';
import type { FormField, NestedField } from '../../forms/form-types.ts';
import type { ReferenceKind } from '../../forms/reference-kinds.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { ValueDiff } from '../../ui/diff.tsx';
import {
  differingEntries,
  differingFields,
  type Entry,
  type EntryDifference,
  idsIn,
  recordOf,
  sayPlainly,
  titleOf,
} from './entry-differences.ts';

const words = agentTexts.references;

/** Which entries of a list are new, gone or changed, by their names and the labels of their fields. */
export function EntryDifferenceList(props: { field: FormField; before: unknown; after: unknown }) {
  const { field, before, after } = props;
  const fields = field.fields ?? [];
  return (
    <ul className="flex flex-col gap-1.5 text-dense">
      {differingEntries(before, after).map(({ key, ...each }) => (
        <OneEntry key={key} fields={fields} {...each} />
      ))}
    </ul>
  );
}

function OneEntry({ fields, before, after }: Omit<EntryDifference, 'key'> & { fields: readonly NestedField[] }) {
  if (!before && after)
    return (
      <li>
        <span className="text-text-2">{words.added}</span>{' '}
        <ins className="rounded-1 bg-ok-soft px-1 text-ok no-underline">
          <Title entry={after} />
        </ins>
      </li>
    );
  if (before && !after)
    return (
      <li>
        <span className="text-text-2">{words.removed}</span>{' '}
        <del className="rounded-1 bg-bad-soft px-1 text-bad">
          <Title entry={before} />
        </del>
      </li>
    );
  if (!before || !after) return null;
  return (
    <li className="flex min-w-0 flex-col gap-0.5">
      <span className="font-medium">
        <Title entry={after} />
      </span>
      {differingFields(before, after).map((key) => (
        <OneField
          key={key}
          name={key}
          field={fields.find((field) => field.key === key)}
          before={before[key]}
          after={after[key]}
        />
      ))}
    </li>
  );
}

/** The name of an entry: of its record where it stands for one. */
function Title({ entry }: { entry: Entry }) {
  const record = recordOf(entry);
  return record ? <RecordName {...record} /> : (titleOf(entry) ?? formTexts.unknownRecord);
}

function RecordName({ kind, id }: { kind: ReferenceKind; id: string }) {
  const name = useReferenceName(kind, id);
  return name === undefined ? '…' : (name ?? formTexts.unknownRecord);
}

interface OneFieldProps {
  name: string;
  field: NestedField | undefined;
  before: unknown;
  after: unknown;
}

function OneField({ name, field, before, after }: OneFieldProps) {
  const label = field?.label ?? name.replaceAll('_', ' ');
  const [old, next] = [idsIn(name, before), idsIn(name, after)];
  const kind = old?.kind ?? next?.kind;
  const say = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? (sayPlainly(value) ?? formTexts.none)
      : sayValue(field ?? { control: 'text', options: null }, value ?? field?.default);
  const [from, to] = [say(before), say(after)];
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <span className="text-text-3">{label}</span>
      {kind ? (
        <IdsDifference kind={kind} before={old?.ids ?? []} after={next?.ids ?? []} />
      ) : from === to ? (
        // The names in it are the same, what they hold differs.
        <span>{words.changed(to)}</span>
      ) : (
        <ValueDiff before={from} after={to} />
      )}
    </span>
  );
}

function IdsDifference(props: { kind: ReferenceKind; before: readonly string[]; after: readonly string[] }) {
  const { kind, before, after } = props;
  return (
    <>
      {before
        .filter((id) => !after.includes(id))
        .map((id) => (
          <del key={id} className="rounded-1 bg-bad-soft px-1 text-bad">
            <RecordName {...{ kind, id }} />
          </del>
        ))}
      {after
        .filter((id) => !before.includes(id))
        .map((id) => (
          <ins key={id} className="rounded-1 bg-ok-soft px-1 text-ok no-underline">
            <RecordName {...{ kind, id }} />
          </ins>
        ))}
    </>
  );
}
