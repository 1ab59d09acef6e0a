import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField, Values } from '../../forms/form-types.ts';
import { settingTexts } from '../../text/knowledge/sites.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayValue } from '../say-value.ts';
import type { Settings } from './use-settings.ts';

const words = settingTexts.conflict;
const cell = 'px-2 py-1.5 text-left align-top break-words';

interface SettingConflictProps {
  settings: Settings;
  fields: readonly FormField[];
  onClose: () => void;
}

/** Both sides of settings that two people changed, and the choice between them. */
export function SettingConflict({ settings, fields, onClose }: SettingConflictProps) {
  const { conflict, values, busy, save, discard } = settings;
  if (!conflict) return null;
  const theirs = conflict as unknown as Values;
  const differing = fields.filter((field) => !sameValue(field, readAt(values, field.path), readAt(theirs, field.path)));
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button
            onClick={() => {
              discard();
              onClose();
            }}
          >
            {words.theirs}
          </Button>
          <Button look="primary" busy={busy} onClick={() => void save(conflict).then((taken) => taken && onClose())}>
            {words.mine}
          </Button>
        </>
      }
    >
      <table className="w-full table-fixed border-collapse text-dense">
        <thead>
          <tr className="border-b border-line text-text-3">
            <th className={cell} />
            <th className={cell}>{settingTexts.mine}</th>
            <th className={cell}>{settingTexts.theirsValue}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((field) => (
            <tr key={placeOf(field)} className="border-b border-line">
              <th scope="row" className={cell}>
                {field.label}
              </th>
              <td className={cell}>{sayValue(readAt(values, field.path))}</td>
              <td className={cell}>{sayValue(readAt(theirs, field.path))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
