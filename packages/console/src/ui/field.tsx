import { Lock } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { cx } from './cx.ts';

/** What a control inside of a field needs to be named and described by it. */
interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}
const FieldContext = createContext<FieldIds | undefined>(undefined);
export const useFieldIds = (): Partial<FieldIds> => useContext(FieldContext) ?? {};

interface FieldProps {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  /** Behind the label, as "if it wants one". */
  note?: ReactNode;
  /** The draft differs here: what brings the published value back. */
  differs?: ReactNode;
  locked?: ReactNode;
  /** For groups of controls, which have no single one to be named. */
  group?: boolean;
  className?: string;
  children: ReactNode;
}

/** A label above a control, help and faults below it. */
export function Field({ label, help, error, note, differs, locked, group, className, children }: FieldProps) {
  const id = useId();
  const describedBy = cx(help !== undefined && `${id}-help`, error !== undefined && `${id}-error`) || undefined;
  const ids = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': error !== undefined ? (true as const) : undefined,
  };
  const Label = group ? 'span' : 'label';
  return (
    <div
      className={cx('flex min-w-0 flex-col gap-1.5', className)}
      {...(group && { role: 'group', 'aria-labelledby': `${id}-label` })}
    >
      <div className="flex items-center gap-2 text-label font-medium">
        <Label id={`${id}-label`} {...(!group && { htmlFor: id })}>
          {label}
        </Label>
        {note && <span className="font-normal text-text-3">{note}</span>}
        {differs}
        {locked && (
          <span className="inline-flex items-center gap-1 text-caption font-normal text-text-3">
            <Lock size={12} aria-hidden />
            {locked}
          </span>
        )}
      </div>
      <FieldContext value={group ? undefined : ids}>{children}</FieldContext>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-dense text-bad">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-caption text-text-3">
          {help}
        </p>
      )}
    </div>
  );
}
