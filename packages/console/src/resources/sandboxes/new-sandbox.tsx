import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useRefresh } from '../common/queries.ts';
import type { Sandbox } from './sandboxes.ts';

const words = connectionTexts.sandboxes;

export function NewSandbox({ onClose, onMade }: { onClose: () => void; onMade: (made: Sandbox) => void }) {
  const client = useClient();
  const refresh = useRefresh('sandboxes');
  const [label, setLabel] = useState('');
  const [persistent, setPersistent] = useState(true);
  const [network, setNetwork] = useState(false);
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const made = await client.sandboxes.create({ label: label.trim(), persistent, network });
    await refresh();
    onMade(made);
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.add}
      help={words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label={words.name} error={faultOf('label')}>
          <TextInput data-autofocus maxLength={255} value={label} onChange={({ target }) => setLabel(target.value)} />
        </Field>
        <Checkbox checked={persistent} onChange={setPersistent} label={words.persistent} help={words.persistentHelp} />
        <Checkbox checked={network} onChange={setNetwork} label={words.network} help={words.networkHelp} />
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
