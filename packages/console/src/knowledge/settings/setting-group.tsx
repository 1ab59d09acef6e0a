import { FieldRow } from '../../forms/field-row.tsx';
import { placeOf, readAt } from '../../forms/field-values.ts';
import type { Form, FormField } from '../../forms/form-types.ts';
import { hasEffect } from '../../forms/shown-when.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import type { Settings } from './use-settings.ts';

interface SettingGroupProps {
  group: Form['groups'][number];
  fields: readonly FormField[];
  settings: Settings;
  disabled: boolean;
  searching: boolean;
}

/** One group of settings by its sections. Those without effect are left out, unless they were searched for or changed. */
export function SettingGroup({ group, fields, settings, disabled, searching }: SettingGroupProps) {
  const { values, faults, change, takeBack, isChanged } = settings;
  const readValue = (key: string) => {
    const path = key in values ? [key] : ['settings_', key];
    return readAt(values, path);
  };
  const isShown = (field: FormField) => searching || isChanged(field) || hasEffect(field, readValue);
  const sections = group.sections
    .map((section) => ({ section, fields: fields.filter((field) => field.section === section && isShown(field)) }))
    .filter((each) => each.fields.length > 0);
  return sections.map(({ section, fields: own }) => (
    <section key={section} aria-label={section} className="flex flex-col gap-5">
      <h2 className="border-b border-line pb-2 text-section">{section}</h2>
      {own.map((field) => (
        <FieldRow
          key={placeOf(field)}
          field={field}
          value={readAt(values, field.path)}
          onChange={change}
          differsFrom={isChanged(field) ? searchTexts.stored : undefined}
          onTakeBack={takeBack}
          error={faults.get(placeOf(field))}
          disabled={disabled}
          idle={searching && !hasEffect(field, readValue)}
        />
      ))}
    </section>
  ));
}
