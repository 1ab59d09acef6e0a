import { AtriumError } from '@atrium/sdk';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeFailure, type Failure } from '../api/failures.ts';
import { type FieldFault, placeFaults } from './field-faults.ts';
import { bodyOf, placeOf, sameValue, writeAt } from './field-values.ts';
import type { FormField, Values } from './form-types.ts';

/** A form of a record: its values, what was changed, and the faults of the server at their fields. */
export function useRecordForm(start: Values, send: (body: Values) => Promise<unknown>) {
  const [values, setValues] = useState(start);
  const [changes, setChanges] = useState<ReadonlyMap<string, { path: string[]; value: unknown }>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, FieldFault>>(new Map());
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const first = faults.keys().next().value;
    if (first === undefined) return;
    const row = form.current?.querySelector(`[data-place="${CSS.escape(first)}"]`);
    // The button that explains the field stands before its control.
    const control = row?.querySelector<HTMLElement>('[aria-invalid="true"], input, textarea, select');
    (control ?? row?.querySelector<HTMLElement>('button'))?.focus();
  }, [faults]);

  const change = (field: Pick<FormField, 'path' | 'control' | 'type'>, value: unknown) => {
    const next = value === '' ? null : value;
    setValues((old) => writeAt(old, field.path, next));
    setChanges((old) => new Map(old).set(placeOf(field), { path: field.path, value: next }));
  };
  /** `fields`: those that are in view; changes of others are not sent. */
  const submit = async (fields: readonly FormField[], isNew: boolean, event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    const places = new Map(fields.map((field) => [placeOf(field), field]));
    const sent = [...changes.entries()].flatMap(([place, one]) => {
      const field = places.get(place);
      const isSame = field && isNew && sameValue(field, one.value, null);
      return field && !isSame ? one : [];
    });
    setFailure(undefined);
    setFaults(new Map());
    setBusy(true);
    try {
      await send(bodyOf(sent));
    } catch (error) {
      const placed = error instanceof AtriumError ? placeFaults(error.faults, fields) : undefined;
      setFaults(placed?.byPlace ?? new Map());
      if (!placed?.byPlace.size || placed.others.length)
        setFailure({ ...describeFailure(error), ...(placed?.others.length && { help: placed.others.join(' ') }) });
    } finally {
      setBusy(false);
    }
  };
  return { values, changes, faults, failure, busy, form, change, submit };
}
