import { agentTabTexts } from '../text/agent-tabs.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';

const words = agentTabTexts.secrets;

/** Secrets that the server made. They are shown once, so that it closes only by "I have stored it". */
export function MadeSecrets(props: { secrets: readonly { label: string; value: string }[]; onClose: () => void }) {
  return (
    <Dialog
      open
      sticky
      onClose={props.onClose}
      title={words.title}
      help={words.help}
      foot={
        <Button look="primary" onClick={props.onClose}>
          {t.ui.storedIt}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {props.secrets.map(({ label, value }) => (
          <CopiedLine key={label} label={label} value={value} />
        ))}
      </div>
    </Dialog>
  );
}

/** A line to be copied into another program. */
export function CopiedLine({ label, value, help }: { label: string; value: string; help?: string }) {
  return (
    <div className="flex items-end gap-2">
      <Field label={label} className="flex-1">
        <TextInput mono readOnly value={value} onFocus={({ target }) => target.select()} title={help} />
      </Field>
      <CopyButton text={value} about={label} />
    </div>
  );
}
