import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { type ConversationRecord, conversationQuery } from '../conversation/use-conversation.ts';
import { dayOf, endOfDay } from './share-end.ts';

/** Makes, changes and ends the link that opens a chat without an account. */
export function ShareDialog({ conversation, onClose }: { conversation: ConversationRecord; onClose: () => void }) {
  const { id, public_access_token: token, public_access_expires_at: ends, public_access_read_only } = conversation;
  const client = useClient();
  const { id: w } = useWorkspace();
  const [readOnly, setReadOnly] = useState(public_access_read_only);
  const [day, setDay] = useState(() => dayOf(ends));
  const [busy, setBusy] = useState(false);
  const changed = readOnly !== public_access_read_only || day !== dayOf(ends);

  const act = async (work: () => Promise<unknown>, done?: string) => {
    setBusy(true);
    try {
      await work();
      await queryClient.invalidateQueries({ queryKey: conversationQuery(w, id).queryKey });
      if (done) sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const save = (done?: string) =>
    act(() => client.conversations.share(id, { read_only: readOnly, expires_at: day ? endOfDay(day) : '' }), done);
  const end = () => act(() => client.conversations.unshare(id), t.share.ended);
  const address = token && `${location.origin}/shared/${token}`;

  return (
    <Dialog
      open
      onClose={onClose}
      title={t.share.title}
      help={t.share.help}
      foot={
        token ? (
          <>
            <Button look="danger" busy={busy} onClick={end}>
              {t.share.end}
            </Button>
            <Button look="primary" busy={busy} disabled={!changed} onClick={() => save(t.share.saved)}>
              {t.share.save}
            </Button>
          </>
        ) : (
          <Button look="primary" busy={busy} onClick={() => save()}>
            {t.share.make}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {address && (
          <Field label={t.share.link}>
            <div className="flex gap-2">
              <TextInput readOnly mono value={address} onFocus={(event) => event.target.select()} />
              <CopyButton text={address} label={t.share.copy} />
            </div>
          </Field>
        )}
        <div className="flex items-start justify-between gap-4">
          <Field label={t.share.readOnly} help={t.share.readOnlyHelp} className="flex-1">
            <Switch checked={readOnly} onChange={setReadOnly} />
          </Field>
        </div>
        <Field label={t.share.ends} help={t.share.endsHelp} note={day ? undefined : t.share.never}>
          <TextInput
            type="date"
            value={day}
            min={dayOf(new Date().toISOString())}
            onChange={(event) => setDay(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}
