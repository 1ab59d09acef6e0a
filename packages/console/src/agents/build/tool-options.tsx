import { FieldRow } from '../../forms/field-row.tsx';
import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { hasEffect } from '../../forms/shown-when.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';

/** The options of one built-in tool; changes are saved as everywhere in the editor. */
export function ToolOptions({
  fields,
  name,
  onClose,
}: {
  fields: readonly FormField[];
  name: string;
  onClose: () => void;
}) {
  const { store, live, mayEdit } = useEditor();
  const { values, published, faults } = useDraft();
  const readValue = (key: string) => readAt(values, fields.find((field) => field.key === key)?.path ?? []);
  const row = (field: FormField) => {
    const value = readAt(values, field.path);
    return (
      <FieldRow
        key={field.key}
        {...{ field, value }}
        onChange={store.change}
        onTakeBack={store.takeBack}
        differsFrom={sameValue(field, readAt(published, field.path), value) ? undefined : live}
        error={faults.get(placeOf(field))}
        disabled={!mayEdit}
        idle={!hasEffect(field, readValue)}
      />
    );
  };
  const sections = [...new Set(fields.map(({ section }) => section))];
  return (
    <Dialog
      open
      changed={false}
      onClose={onClose}
      title={agentTexts.build.toolOptions(name)}
      foot={
        <Button look="primary" onClick={onClose}>
          {t.ui.close}
        </Button>
      }
    >
      {sections.map((section) => (
        <section key={section} aria-label={section} className="border-b border-line py-4 first:pt-0 last:border-b-0">
          <h3 className="mb-3 text-label">{section}</h3>
          <div className="flex flex-col gap-4">
            {fields.filter((field) => field.section === section && !field.advanced).map(row)}
          </div>
        </section>
      ))}
    </Dialog>
  );
}
