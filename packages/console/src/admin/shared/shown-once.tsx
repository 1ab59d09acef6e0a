import { adminTexts } from '../../text/admin/frame.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';

/** A value that the server shows once: closes only by "I have stored it". */
export function ShownOnce(props: {
  title: string;
  label: string;
  value: string;
  help?: string;
  /** A command for a shell that uses the value. */
  command?: { label: string; text: string };
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      sticky
      onClose={props.onClose}
      title={props.title}
      help={props.help ?? adminTexts.shownOnce}
      foot={
        <Button look="primary" onClick={props.onClose}>
          {t.ui.storedIt}
        </Button>
      }
    >
      <div className="flex items-end gap-2">
        <Field label={props.label} className="flex-1">
          <TextInput mono readOnly data-autofocus value={props.value} onFocus={({ target }) => target.select()} />
        </Field>
        <CopyButton text={props.value} about={props.label} />
      </div>
      {props.command && (
        <div className="mt-4 flex items-end gap-2">
          <Field label={props.command.label} className="flex-1">
            <TextInput mono readOnly value={props.command.text} onFocus={({ target }) => target.select()} />
          </Field>
          <CopyButton text={props.command.text} about={props.command.label} />
        </div>
      )}
    </Dialog>
  );
}
