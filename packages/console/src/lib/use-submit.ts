import { AtriumError } from '@atrium/sdk';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeFailure, type Failure } from '../api/failures.ts';
import { plainFault } from './plain-fault.ts';

/** Faults of fields that the page itself finds, by the names of the fields. */
export type FieldFaults = Readonly<Record<string, string | false | undefined>>;

interface Sending {
  /** What the page itself finds wrong before anything is sent. */
  check?: () => FieldFaults;
  /** Own words for failures that mean something here. */
  explain?: (error: AtriumError) => Failure | undefined;
}

/** A form that is sent: what is wrong is shown at its field, and the first such field gets the focus. */
export function useSubmit(send: () => Promise<unknown>, { check, explain }: Sending = {}) {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldFaults>({});
  const [failure, setFailure] = useState<Failure | undefined>();
  const form = useRef<HTMLFormElement>(null);
  const tries = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try that found faults moves the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries.current]);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    const found = check?.() ?? {};
    setFailure(undefined);
    setFaults(found);
    if (Object.values(found).some(Boolean)) {
      tries.current++;
      return;
    }
    setBusy(true);
    try {
      await send();
    } catch (error) {
      if (error instanceof AtriumError && error.faults.length > 0) {
        tries.current++;
        setFaults(Object.fromEntries(Object.entries(error.fields).map(([name, text]) => [name, plainFault(text)])));
      } else setFailure((error instanceof AtriumError && explain?.(error)) || describeFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const faultOf = (name: string) => faults[name] || undefined;
  return { busy, failure, setFailure, faultOf, submit, form };
}
