import { sayValue } from '../../forms/field-info.tsx';
import { sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import type { ReferenceKind } from '../../forms/reference-kinds.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { ValueDiff } from '../../ui/diff.tsx';

const words = agentTexts.references;
type Entry = Record<string, unknown>;

/** The records that a value names, by their ids: one, or a list whose entries may have options. */
function entriesOf(value: unknown): Map<string, Entry> {
  const all = Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value];
  return new Map(
    all.map((entry): [string, Entry] =>
      typeof entry === 'object' && entry !== null
        ? [String((entry as Entry)['id'] ?? ''), entry as Entry]
        : [String(entry), {}],
    ),
  );
}

/** Which records are new, gone or have other options, by their names. */
export function ReferenceDifference(props: { field: FormField; before: unknown; after: unknown }) {
  const { field } = props;
  const [before, after] = [entriesOf(props.before), entriesOf(props.after)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return (
    <ul className="flex flex-col gap-1 text-dense">
      {ids.map((id) => (
        <OneReference key={id} {...{ field, id }} before={before.get(id)} after={after.get(id)} />
      ))}
    </ul>
  );
}

interface OneReferenceProps {
  field: FormField;
  id: string;
  before: Entry | undefined;
  after: Entry | undefined;
}

function OneReference({ field, id, before, after }: OneReferenceProps) {
  const name = useReferenceName(field.references as ReferenceKind, id);
  const shown = name === undefined ? '…' : (name ?? formTexts.unknownRecord);
  if (!before)
    return (
      <li>
        <span className="text-text-2">{words.added}</span>{' '}
        <ins className="rounded-1 bg-ok-soft px-1 text-ok no-underline">{shown}</ins>
      </li>
    );
  if (!after)
    return (
      <li>
        <span className="text-text-2">{words.removed}</span>{' '}
        <del className="rounded-1 bg-bad-soft px-1 text-bad">{shown}</del>
      </li>
    );
  const changed = (field.fields ?? []).filter((part) => !sameValue(part, before[part.key], after[part.key]));
  if (changed.length === 0) return null;
  return (
    <li className="flex flex-col gap-0.5">
      <span className="font-medium">{shown}</span>
      {changed.map((part) => (
        <span key={part.key} className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-text-3">{part.label}</span>
          <ValueDiff
            before={sayValue(part, before[part.key] ?? part.default)}
            after={sayValue(part, after[part.key] ?? part.default)}
          />
        </span>
      ))}
    </li>
  );
}
