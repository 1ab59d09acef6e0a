import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { hasEffect } from '../../forms/shown-when.ts';
import { agentTexts } from '../../text/agents.ts';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import type { EditorGroup } from '../editor/outline.ts';
import { LockLine } from './lock-line.tsx';
import { SettingRow } from './setting-row.tsx';

interface GroupSectionProps {
  group: EditorGroup;
  searching: boolean;
  shown: (field: FormField) => boolean;
}

/** One group of the form. Settings without effect are left out, unless they were searched for, changed or refused. */
export function GroupSection({ group, searching, shown }: GroupSectionProps) {
  const { form } = useEditor();
  const { values, published, faults, agent } = useDraft();
  const pathOf = new Map(form.fields.map(({ key, path }) => [key, path]));
  const readValue = (key: string) => readAt(values, pathOf.get(key) ?? []);
  const isIdle = (field: FormField) => !hasEffect(field, readValue);
  const isListed = (field: FormField) =>
    searching
      ? shown(field)
      : field.control !== 'none' &&
        (!isIdle(field) ||
          faults.has(placeOf(field)) ||
          !sameValue(field, readAt(values, field.path), readAt(published, field.path)));
  const sections = group.sections
    .map(({ name, fields }) => ({ name, fields: fields.filter(isListed) }))
    .filter(({ fields }) => fields.length > 0);
  const kept = searching
    ? []
    : group.sections.flatMap(({ fields }) => fields.filter(({ control }) => control === 'none'));
  if (sections.length === 0 && kept.length === 0) return null;
  const on = new Map(agent.locks.map((lock) => [lock.lock as string, lock]));
  const locksOf = (fields: readonly FormField[]) =>
    [...new Set(fields.map(({ lock }) => lock))].flatMap((lock) => (lock && on.get(lock)) || []);
  return (
    <section
      id={`group-${group.id}`}
      aria-labelledby={`group-${group.id}-name`}
      className="border-b border-line py-5 last:border-b-0"
    >
      <header className="mb-4 flex items-baseline gap-3">
        <h2 id={`group-${group.id}-name`} className="text-section">
          {group.label}
        </h2>
        {agentTexts.groupHelp[group.id] && (
          <p className="ml-auto text-caption text-text-3">{agentTexts.groupHelp[group.id]}</p>
        )}
      </header>
      <div className="flex flex-col gap-5">
        {sections.map(({ name, fields }) => (
          <div key={name} className="flex flex-col gap-4.5">
            {sections.length > 1 && <h3 className="-mb-1.5 text-dense text-text-2">{name}</h3>}
            {locksOf(fields).map((lock) => (
              <LockLine key={lock.lock} lock={lock} />
            ))}
            {fields.map((field) => (
              <SettingRow key={field.key} field={field} idle={isIdle(field)} />
            ))}
          </div>
        ))}
        {kept.length > 0 && (
          <details>
            <summary className="cursor-pointer text-label text-text-2">{agentTexts.build.showAdvanced}</summary>
            <div className="flex flex-col gap-4 pt-4">
              {kept.map((field) => (
                <SettingRow key={field.key} field={field} idle={false} />
              ))}
            </div>
          </details>
        )}
      </div>
    </section>
  );
}
