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
  const tries = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try that found faults moves the focus.
  useEffect(() => {
    const first = faults.keys().next().value;
    if (first === undefined) return;
    const row = form.current?.querySelector(`[data-place="${CSS.escape(first)}"]`);
    // The button that explains the field stands before its control.
    const control = row?.querySelector<HTMLElement>('[aria-invalid="true"], input, textarea, select');
    (control ?? row?.querySelector<HTMLElement>('button'))?.focus();
  }, [tries.current]);

  const change = (field: Pick<FormField, 'path' | 'control' | 'type'>, value: unknown) => {
    const next = value === '' ? null : value;
    setValues((old) => writeAt(old, field.path, next));
    setChanges((old) => new Map(old).set(placeOf(field), { path: field.path, value: next }));
    setFailure(undefined);
    // What was wrong was the old value; the focus stays where the person types.
    setFaults((old) =>
      old.has(placeOf(field)) ? new Map([...old].filter(([place]) => place !== placeOf(field))) : old,
    );
  };
  /** Gives `work` what was changed of the fields in view, and shows what it refuses. */
  const attempt = async (fields: readonly FormField[], isNew: boolean, work: (body: Values) => Promise<unknown>) => {
    const places = new Map(fields.map((field) => [placeOf(field), field]));
    const sent = [...changes.entries()].flatMap(([place, one]) => {
      const field = places.get(place);
      const isSame = field && isNew && sameValue(field, one.value, null);
      return field && !isSame ? one : [];
    });
    setFailure(undefined);
    setFaults(new Map());
    try {
      await work(bodyOf(sent));
    } catch (error) {
      const placed = error instanceof AtriumError ? placeFaults(error.faults, fields) : undefined;
      tries.current++;
      setFaults(placed?.byPlace ?? new Map());
      if (!placed?.byPlace.size || placed.others.length)
        setFailure({ ...describeFailure(error), ...(placed?.others.length && { help: placed.others.join(' ') }) });
    }
  };
  const submit = async (fields: readonly FormField[], isNew: boolean, event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    await attempt(fields, isNew, send);
    setBusy(false);
  };
  /** For the dialog around the form: undefined while what is typed has not reached a value. */
  const isChanged = changes.size > 0 || undefined;
  return { values, changes, faults, failure, busy, form, change, attempt, submit, isChanged };
}
