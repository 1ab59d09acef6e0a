import { Settings2, Trash2 } from 'lucide-react';
import { formTexts } from '../../text/forms.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { ReferenceKind } from '../reference-kinds.ts';
import { useReferenceName } from '../use-references.ts';
import { asBox, asList, asText, type ControlProps } from './control-props.ts';
import { NestedFields } from './nested-fields.tsx';
import { FindReference, ReferenceName } from './reference-control.tsx';

type Entry = Record<string, unknown> & { id: string };
const entryOf = (entry: unknown): Entry =>
  typeof entry === 'string' ? { id: entry } : { ...asBox(entry), id: asText(asBox(entry)['id']) };

/** Records of the workspace: plain ids, or entries with a switch and options. */
export const ReferenceListControl = (props: ControlProps) =>
  props.field.items ? <IdList {...props} /> : <EntryList {...props} />;

function IdList({ field, value, onChange, disabled }: ControlProps) {
  const kind = field.references as ReferenceKind;
  const ids = asList(value).map(asText);
  return (
    <div className="flex flex-col gap-2">
      {ids.length > 0 && (
        <ul className="max-w-110 divide-y divide-line rounded-3 border border-line">
          {ids.map((id) => (
            <IdRow
              key={id}
              {...{ kind, id, disabled }}
              onRemove={() => onChange(ids.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
      <FindReference
        {...{ kind, disabled }}
        label={field.label}
        taken={ids}
        onChoose={(id) => onChange([...ids, id])}
      />
    </div>
  );
}

function IdRow({ kind, id, disabled, onRemove }: Pick<RowProps, 'kind' | 'disabled' | 'onRemove'> & { id: string }) {
  const name = useReferenceName(kind, id) ?? id;
  return (
    <li className="flex min-h-11 items-center gap-2 px-3 py-1.5">
      <span className="min-w-0 flex-1 truncate">
        <ReferenceName kind={kind} id={id} />
      </span>
      {!disabled && <IconButton label={formTexts.removeEntry(name)} icon={<Trash2 size={15} />} onClick={onRemove} />}
    </li>
  );
}

/** Records that the agent uses, each with a switch and its options. */
function EntryList({ field, value, onChange, disabled }: ControlProps) {
  const kind = field.references as ReferenceKind;
  const entries = asList(value).map(entryOf);
  return (
    <div className="flex flex-col gap-2">
      {entries.length > 0 && (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {entries.map((entry) => (
            <ReferenceRow
              key={entry.id}
              {...{ kind, entry, disabled }}
              fields={(field.fields ?? []).filter(({ key }) => key !== 'id' && key !== 'enabled')}
              onChange={(next) => onChange(entries.map((old) => (old.id === entry.id ? { ...next, id: old.id } : old)))}
              onRemove={() => onChange(entries.filter(({ id }) => id !== entry.id))}
            />
          ))}
        </ul>
      )}
      <FindReference
        {...{ kind, disabled }}
        label={field.label}
        taken={entries.map(({ id }) => id)}
        onChoose={(id) => onChange([...entries, { id, enabled: true }])}
      />
    </div>
  );
}

interface RowProps {
  kind: ReferenceKind;
  entry: Entry;
  fields: NonNullable<ControlProps['field']['fields']>;
  disabled?: boolean | undefined;
  onChange: (entry: Record<string, unknown>) => void;
  onRemove: () => void;
}

function ReferenceRow({ kind, entry, fields, disabled, onChange, onRemove }: RowProps) {
  const name = useReferenceName(kind, entry.id) ?? entry.id;
  return (
    <li className="flex min-h-11 items-center gap-2 px-3 py-1.5">
      <span className="min-w-0 flex-1 truncate">
        <ReferenceName kind={kind} id={entry.id} />
      </span>
      {fields.length > 0 && (
        <Popover
          label={formTexts.optionsOf(name)}
          align="end"
          trigger={<IconButton label={formTexts.optionsOf(name)} icon={<Settings2 size={15} />} />}
        >
          <NestedFields fields={fields} value={entry} disabled={disabled} onChange={onChange} />
        </Popover>
      )}
      {!disabled && <IconButton label={formTexts.removeEntry(name)} icon={<Trash2 size={15} />} onClick={onRemove} />}
      <Switch
        label={name}
        checked={entry['enabled'] !== false}
        disabled={disabled}
        onChange={(enabled) => onChange({ ...entry, enabled })}
      />
    </li>
  );
}
