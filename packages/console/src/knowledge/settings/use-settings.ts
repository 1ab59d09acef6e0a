import { AtriumError, type BodyOf } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { placeFaults } from '../../forms/field-faults.ts';
import { bodyOf, placeOf, readAt, sameValue, writeAt } from '../../forms/field-values.ts';
import type { FormField, Values } from '../../forms/form-types.ts';
import { settingTexts } from '../../text/knowledge/sites.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { type Base, baseQuery } from '../queries.ts';

export type Settings = ReturnType<typeof useSettings>;

/** The settings of a knowledge base while they are changed: what differs is sent, with the version it began from. */
export function useSettings(fields: readonly FormField[]) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [edits, setEdits] = useState<ReadonlyMap<string, { field: FormField; value: unknown }>>(new Map());
  /** The version that the changes began from. */
  const [began, setBegan] = useState<Base>(base);
  const [conflict, setConflict] = useState<Base>();
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Without changes of one's own the page follows those of others.
  useEffect(() => {
    if (edits.size === 0) setBegan(base);
  }, [base, edits.size]);
  useEffect(() => {
    const first = faults.keys().next().value;
    if (first === undefined) return;
    const row = form.current?.querySelector(`[data-place="${CSS.escape(first)}"]`);
    row?.querySelector<HTMLElement>('[aria-invalid="true"], input, textarea, select, button')?.focus();
  }, [faults]);
  const stored = began as unknown as Values;
  const values = [...edits.values()].reduce<Values>((all, { field, value }) => writeAt(all, field.path, value), stored);
  const discard = () => {
    setEdits(new Map());
    setFaults(new Map());
    setConflict(undefined);
  };
  /** False: another person has changed it meanwhile. */
  async function save(over?: Base): Promise<boolean> {
    setBusy(true);
    setFaults(new Map());
    const body = bodyOf([...edits.values()].map(({ field, value }) => ({ path: field.path, value })));
    try {
      const ifMatch = (over ?? began).etag;
      const saved = await client.knowledgeBases.update(base.id, body as BodyOf<'knowledgeBases.update'>, { ifMatch });
      queries.setQueryData(baseQuery(client, w, base.id).queryKey, saved);
      discard();
      setBegan(saved);
      const isPending = [...edits.values()].some(({ field }) => field.pending);
      sayToast({ text: settingTexts.saved, ...(isPending && { help: settingTexts.pending }) });
      return true;
    } catch (error) {
      if (error instanceof AtriumError && error.code === 'etag_mismatch') {
        setConflict(await client.knowledgeBases.get(base.id));
        return false;
      }
      const placed = error instanceof AtriumError ? placeFaults(error.faults, fields) : undefined;
      setFaults(new Map([...(placed?.byPlace ?? [])].map(([place, { text }]) => [place, text])));
      if (!placed?.byPlace.size) sayFailure(error);
      return true;
    } finally {
      setBusy(false);
    }
  }
  return {
    ...{ values, faults, busy, form, conflict, discard, save, edits },
    changed: edits.size,
    changedIn: (group: string) => [...edits.values()].filter(({ field }) => field.group === group).length,
    isChanged: (field: FormField) => edits.has(placeOf(field)),
    change(field: FormField, value: unknown): void {
      setEdits((old) => {
        const next = new Map(old);
        if (sameValue(field, readAt(stored, field.path), value)) next.delete(placeOf(field));
        else next.set(placeOf(field), { field, value });
        return next;
      });
    },
    takeBack: (field: FormField) => setEdits((old) => new Map([...old].filter(([place]) => place !== placeOf(field)))),
  };
}
