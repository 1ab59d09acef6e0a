import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { keepDraft, readDraft } from '../../lib/local-drafts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { ConversationSlotProps } from '../slots.ts';
import { useRequests } from './use-requests.ts';

/** Above the composer of a chat in which a person answers: who does, the reply, and the way back to the agent. */
export function TakeOver({ conversation }: ConversationSlotProps) {
  const { id, manual, status } = conversation;
  const isWaiting = status === 'awaiting_human_feedback';
  const { data: requests } = useRequests(id, isWaiting);
  const may = useMay();
  const isAsked = requests ? [...requests.values()].some((request) => request.status === 'pending') : may('agents_run');
  const waits = isWaiting && !isAsked;
  if (!manual && !waits) return null;
  return <PersonAnswers conversation={conversation} waits={waits} />;
}

function PersonAnswers({ conversation, waits }: Pick<ConversationSlotProps, 'conversation'> & { waits: boolean }) {
  const { id, manual } = conversation;
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const draftKey = `person.${id}`;
  const [words, setWords] = useState(() => readDraft(draftKey));
  const [stays, setStays] = useState(true);
  const [busy, setBusy] = useState(false);
  const texts = t.chatParts.person;

  const write = (value: string) => {
    setWords(value);
    keepDraft(draftKey, value);
  };
  const act = async (work: () => Promise<unknown>, done?: string) => {
    setBusy(true);
    try {
      await work();
      if (done) sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: [w, 'conversations'] });
      setBusy(false);
    }
  };
  const reply = () =>
    act(async () => {
      if (!manual && stays) await client.conversations.update(id, { manual: true });
      await client.messages.replyAsPerson(id, { content: words.trim() });
      write('');
    });
  const giveBack = () => act(() => client.conversations.update(id, { manual: false }), texts.gaveBack);

  return (
    <section
      aria-label={texts.region}
      className="mb-2.5 flex flex-col gap-3 rounded-3 border border-warn-line bg-surface p-3.5"
    >
      <div className="flex flex-wrap items-start gap-2">
        <UserRound size={16} aria-hidden className="mt-0.5 flex-none text-warn" />
        <div className="min-w-0 flex-1 text-label">
          <p className="font-medium">{manual ? texts.manual : texts.waits}</p>
          <p className="text-dense text-text-2">
            {manual ? (waits ? texts.manualWaits : texts.manualIdle) : texts.waitsHelp}
          </p>
        </div>
        {manual && (
          <Button size="small" busy={busy} refused={!may('agents_run') && texts.mayNotChange} onClick={giveBack}>
            {texts.giveBack}
          </Button>
        )}
      </div>
      {waits && (
        <form
          className="flex flex-col gap-2.5"
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim()) void reply();
          }}
        >
          <Field label={texts.reply} help={texts.replyHelp}>
            <TextArea value={words} maxRows={6} onChange={(event) => write(event.target.value)} />
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              look="primary"
              busy={busy}
              disabled={!words.trim()}
              refused={!may('conversations_read') && texts.mayNotReply}
            >
              {texts.send}
            </Button>
            {!manual && may('agents_run') && <Checkbox checked={stays} onChange={setStays} label={texts.stay} />}
          </div>
        </form>
      )}
    </section>
  );
}
