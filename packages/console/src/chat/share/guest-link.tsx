import { Link } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { endOfDay } from '../../lib/calendar.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { type ConversationRecord, conversationQuery } from '../conversation/use-conversation.ts';
import { inDays, lastDayOf, sayDay } from './share-end.ts';

/** How long a new link opens the chat, unless another day is chosen. */
const usualDays = 30;

interface GuestLinkProps {
  conversation: ConversationRecord;
  /** The chat came through a page: its link is how the visitor goes on, and has no terms. */
  isOfVisitor: boolean;
  onChanged: (isChanged: boolean) => void;
}

/** Makes, changes and ends the link that opens a chat without an account. */
export function GuestLink({ conversation, isOfVisitor, onChanged }: GuestLinkProps) {
  const { id, public_access_token: token, public_access_expires_at: ends, public_access_read_only } = conversation;
  const client = useClient();
  const { id: w } = useWorkspace();
  const [readOnly, setReadOnly] = useState(token ? public_access_read_only : true);
  const [day, setDay] = useState(() => (token ? lastDayOf(ends) : inDays(usualDays)));
  const [busy, setBusy] = useState(false);
  const differs = (nextReadOnly: boolean, nextDay: string) =>
    token !== null && (nextReadOnly !== public_access_read_only || nextDay !== lastDayOf(ends));
  const set = (nextReadOnly: boolean, nextDay: string) => {
    setReadOnly(nextReadOnly);
    setDay(nextDay);
    onChanged(differs(nextReadOnly, nextDay));
  };
  const act = async (work: () => Promise<unknown>, done?: string) => {
    setBusy(true);
    try {
      await work();
      onChanged(false);
      await queryClient.invalidateQueries({ queryKey: conversationQuery(w, id).queryKey });
      if (done) sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const terms = isOfVisitor ? {} : { read_only: readOnly, expires_at: day ? endOfDay(day) : '' };
  const save = (done?: string) => act(() => client.conversations.share(id, terms), done);
  const end = () =>
    act(async () => {
      await client.conversations.unshare(id);
      setReadOnly(true);
      setDay(inDays(usualDays));
    }, t.share.ended);
  const address = token && `${location.origin}/shared/${token}`;
  return (
    <section
      aria-label={t.share.guests}
      className="-mx-5 -mb-4 flex flex-col gap-4 border-t border-line bg-bg px-5 py-4"
    >
      <div className="flex items-start gap-3">
        <span aria-hidden className="grid size-7 flex-none place-items-center rounded-2 bg-sunken text-text-2">
          <Link size={15} />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="text-label font-medium">{t.share.guests}</h3>
          <p className="text-dense text-text-2">
            {isOfVisitor ? t.share.ofVisitor : t.share.guestsMay(readOnly, day && sayDay(day))}
          </p>
        </div>
      </div>
      {address && (
        <Field label={t.share.link}>
          <div className="flex gap-2">
            <TextInput readOnly mono value={address} onFocus={(event) => event.target.select()} />
            <CopyButton text={address} label={t.share.copy} />
          </div>
        </Field>
      )}
      {!isOfVisitor && (
        <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
          <Field label={t.share.readOnly} help={t.share.readOnlyHelp}>
            <Switch checked={readOnly} onChange={(next) => set(next, day)} />
          </Field>
          <Field label={t.share.ends} help={t.share.endsHelp} note={day ? undefined : t.share.never}>
            <TextInput
              type="date"
              value={day}
              min={inDays(0)}
              onChange={(event) => set(readOnly, event.target.value)}
            />
          </Field>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {token ? (
          <>
            <Button look="danger" busy={busy} onClick={end}>
              {t.share.end}
            </Button>
            {!isOfVisitor && (
              <Button busy={busy} disabled={!differs(readOnly, day)} onClick={() => save(t.share.saved)}>
                {t.share.save}
              </Button>
            )}
          </>
        ) : (
          <Button busy={busy} onClick={() => save()}>
            {t.share.make}
          </Button>
        )}
      </div>
    </section>
  );
}
