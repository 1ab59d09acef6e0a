import { Lock } from 'lucide-react';
import { memo, type ReactNode, useId } from 'react';
import { formTexts } from '../text/forms.ts';
import { CodeWords } from '../ui/code-words.tsx';
import { Field } from '../ui/field.tsx';
import { Switch } from '../ui/switch.tsx';
import { FieldControl, isGroup } from './controls/field-control.tsx';
import { FieldInfo } from './field-info.tsx';
import { placeOf } from './field-values.ts';
import type { FormField } from './form-types.ts';

export interface FieldRowProps {
  field: FormField;
  value: unknown;
  onChange: (field: FormField, value: unknown) => void;
  /** What the draft differs from, such as "v12"; undefined where it does not differ. */
  differsFrom?: string | undefined;
  onTakeBack?: ((field: FormField) => void) | undefined;
  error?: string | undefined;
  /** Who locked it, in words; the field can be read and not changed. */
  locked?: string | undefined;
  disabled?: boolean | undefined;
  /** It has no effect with the values of other fields. */
  idle?: boolean | undefined;
  /** In place of the usual control. */
  children?: ReactNode;
}

/** One field of a form: label, control, help, fault; what differs and what is locked. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { field, value, onChange, differsFrom, onTakeBack, error, locked, disabled, idle, children } = props;
  const off = disabled || locked !== undefined;
  const note = (
    <span className="inline-flex items-center gap-1.5">
      <FieldInfo field={field} />
      {idle && <span className="text-caption text-text-3">{formTexts.withoutEffect}</span>}
    </span>
  );
  const differs = differsFrom !== undefined && (
    <Differs label={field.label} from={differsFrom} onTakeBack={off ? undefined : () => onTakeBack?.(field)} />
  );
  return (
    <div data-place={placeOf(field)} className="scroll-mt-6 scroll-mb-10">
      {field.control === 'switch' && !children ? (
        <SwitchRow {...{ field, error, locked, note, differs }}>
          {(id, describedBy) => (
            <Switch
              label={field.label}
              checked={Boolean(value ?? field.default)}
              disabled={off}
              onChange={(on) => onChange(field, on)}
              {...{ id, 'aria-describedby': describedBy }}
            />
          )}
        </SwitchRow>
      ) : (
        <Field
          label={field.label}
          help={<CodeWords text={field.help} />}
          error={error}
          note={note}
          differs={differs}
          locked={locked}
          group={Boolean(children) || isGroup(field)}
        >
          {children ?? (
            <FieldControl field={field} value={value} disabled={off} onChange={(next) => onChange(field, next)} />
          )}
        </Field>
      )}
    </div>
  );
});

interface SwitchRowProps extends Pick<FieldRowProps, 'field' | 'error' | 'locked'> {
  note: ReactNode;
  differs: ReactNode;
  children: (id: string, describedBy: string) => ReactNode;
}

/** A switch stands at the end of its line. */
function SwitchRow({ field, error, locked, note, differs, children }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 text-label font-medium">
          <span aria-hidden>{field.label}</span>
          {note}
          {differs}
          {locked && (
            <span className="inline-flex items-center gap-1 text-caption font-normal text-text-3">
              <Lock size={12} aria-hidden />
              {locked}
            </span>
          )}
        </div>
        {error && <p className="text-dense text-bad">{error}</p>}
        <p id={`${id}-help`} className="text-caption text-text-3">
          <CodeWords text={field.help} />
        </p>
      </div>
      <span className="mt-1">{children(id, `${id}-help`)}</span>
    </div>
  );
}

/** The dot of a changed field, and the way back. */
function Differs(props: { label: string; from: string; onTakeBack?: (() => void) | undefined }) {
  return (
    <span className="inline-flex items-center gap-2 text-caption font-normal">
      <span role="img" aria-label={formTexts.differs(props.from)} className="size-1.75 rounded-full bg-accent" />
      {props.onTakeBack && (
        <button
          type="button"
          aria-label={formTexts.takeBackOf(props.label)}
          onClick={props.onTakeBack}
          className="text-accent hover:underline"
        >
          {formTexts.takeBack}
        </button>
      )}
    </span>
  );
}
