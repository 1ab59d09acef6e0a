import { useState } from 'react';
import { t } from '../../text/en.ts';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { type ReferenceKind, referenceKinds } from '../reference-kinds.ts';
import { useFoundReferences, useReferenceName } from '../use-references.ts';
import { asText, type ControlProps } from './control-props.ts';

/** One record of the workspace, found by its name. */
export function ReferenceControl({ field, value, onChange, disabled }: ControlProps) {
  const kind = field.references as ReferenceKind;
  const chosen = asText(value);
  if (!referenceKinds[kind])
    return (
      <TextInput
        mono
        value={chosen}
        disabled={disabled}
        placeholder={formTexts.notSet}
        onChange={({ target }) => onChange(target.value || null)}
      />
    );
  if (chosen)
    return (
      <div className="flex max-w-110 items-center gap-2 rounded-2 border border-line-2 py-1 pr-1 pl-2.5">
        <ReferenceName kind={kind} id={chosen} />
        {!disabled && (
          <Button look="ghost" size="small" className="ml-auto" onClick={() => onChange(null)}>
            {t.ui.remove}
          </Button>
        )}
      </div>
    );
  return <FindReference kind={kind} taken={[]} disabled={disabled} label={field.label} onChoose={onChange} />;
}

export function ReferenceName({ kind, id }: { kind: ReferenceKind; id: string }) {
  const name = useReferenceName(kind, id);
  if (name === null) return <span className="truncate text-text-3">{formTexts.unknownRecord}</span>;
  return <span className="truncate font-medium">{name ?? '…'}</span>;
}

interface FindProps {
  kind: ReferenceKind;
  label: string;
  taken: readonly string[];
  disabled?: boolean | undefined;
  onChoose: (id: string) => void;
}

/** The field that finds one more record of a kind. */
export function FindReference({ kind, label, taken, disabled, onChoose }: FindProps) {
  const [typed, setTyped] = useState('');
  const found = useFoundReferences(kind, typed, !disabled).filter(({ id }) => !taken.includes(id));
  if (disabled) return taken.length ? null : <p className="text-dense text-text-3">{formTexts.none}</p>;
  return (
    <div className="max-w-110">
      <Combobox
        label={formTexts.addTo(label)}
        query={typed}
        onQuery={setTyped}
        options={found.map(({ id, name, help }) => ({ value: id, label: name, help }))}
        onChoose={onChoose}
        placeholder={formTexts.findIn(formTexts.kinds[kind])}
        {...(found.length >= 20 && { foot: formTexts.typeToFind })}
      />
    </div>
  );
}
