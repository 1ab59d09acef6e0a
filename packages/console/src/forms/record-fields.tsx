import { type ReactNode, useMemo } from 'react';
import { agentTabTexts } from '../text/agent-tabs.ts';
import type { FieldFault } from './field-faults.ts';
import { FieldRow } from './field-row.tsx';
import { placeOf, readAt } from './field-values.ts';
import type { FormField, Values } from './form-types.ts';
import { hasEffect } from './shown-when.ts';

interface RecordFieldsProps {
  fields: readonly FormField[];
  values: Values;
  faults: ReadonlyMap<string, FieldFault>;
  onChange: (field: FormField, value: unknown) => void;
  /** Other controls in the place of those of some fields, by key. */
  instead?: Readonly<Record<string, ReactNode>>;
}

/** The fields of a record in their order. Those that most people never need are folded away, unless one has a fault. */
export function RecordFields({ fields, values, faults, onChange, instead = {} }: RecordFieldsProps) {
  const byKey = useMemo(() => new Map(fields.map((field) => [field.key, field])), [fields]);
  const readValue = (key: string) => {
    const field = byKey.get(key);
    return field && (readAt(values, field.path) ?? field.default);
  };
  const shown = fields.filter((field) => hasEffect(field, readValue));
  const rowOf = (field: FormField) =>
    instead[field.key] !== undefined ? (
      <div key={placeOf(field)}>{instead[field.key]}</div>
    ) : (
      <FieldRow
        key={placeOf(field)}
        field={field}
        value={readAt(values, field.path)}
        error={faults.get(placeOf(field))?.text}
        onChange={onChange}
      />
    );
  const rare = shown.filter(({ advanced }) => advanced);
  return (
    <div className="flex flex-col gap-5">
      {shown.filter(({ advanced }) => !advanced).map(rowOf)}
      {rare.length > 0 && (
        <details open={rare.some((field) => faults.has(placeOf(field))) || undefined} className="group">
          <summary className="cursor-pointer text-label font-medium text-text-2 hover:text-text pointer-coarse:py-3">
            {agentTabTexts.rare}
          </summary>
          <div className="mt-4 flex flex-col gap-5">{rare.map(rowOf)}</div>
        </details>
      )}
    </div>
  );
}
