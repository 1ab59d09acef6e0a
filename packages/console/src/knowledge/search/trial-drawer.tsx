import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FieldRow } from '../../forms/field-row.tsx';
import { sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { hasEffect } from '../../forms/shown-when.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { baseFormQuery } from '../queries.ts';
import type { Trial } from './use-search.ts';

const words = searchTexts;

interface TrialDrawerProps {
  trial: Trial;
  onClose: () => void;
  onTake: (trial: Record<string, unknown>) => void;
}

/** Settings of the search that are tried without storing them. What equals the settings in force is left out. */
export function TrialDrawer({ trial, onClose, onTake }: TrialDrawerProps) {
  const { settings_ } = useBase();
  const stored = settings_ as Readonly<Record<string, unknown>>;
  const query = useQuery(baseFormQuery);
  const [values, setValues] = useState<Record<string, unknown>>({ ...stored, ...trial });
  const fields = query.data?.fields.filter(({ group }) => group === 'retrieval') ?? [];
  const differing = fields.filter((field) => !sameValue(field, stored[field.key], values[field.key]));
  const change = (field: FormField, value: unknown) => setValues((old) => ({ ...old, [field.key]: value }));
  const isChanged = fields.some((field) => !sameValue(field, { ...stored, ...trial }[field.key], values[field.key]));
  const take = () => onTake(Object.fromEntries(differing.map(({ key }) => [key, values[key]])));
  return (
    <Drawer open onClose={onClose} title={words.trialTitle} changed={isChanged}>
      <div className="flex flex-col gap-5 px-4 py-4">
        <p className="text-dense text-text-2">{words.trialHelp}</p>
        {query.isPending && <Loading rows={8} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {fields
          .filter((field) => hasEffect(field, (key) => values[key]))
          .map((field) => (
            <FieldRow
              key={field.key}
              field={field}
              value={values[field.key]}
              onChange={change}
              differsFrom={differing.includes(field) ? words.stored : undefined}
              onTakeBack={() => change(field, stored[field.key])}
            />
          ))}
      </div>
      {fields.length > 0 && (
        <footer className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-3">
          <span role="status" className="flex-1 text-dense text-text-2">
            {words.differs(differing.length)}
          </span>
          <Button onClick={() => setValues({ ...stored })}>{words.trialReset}</Button>
          <Button look="primary" onClick={take}>
            {words.takeTrial}
          </Button>
        </footer>
      )}
    </Drawer>
  );
}
