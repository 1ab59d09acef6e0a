import { useRouter } from '@tanstack/react-router';
import { Clock, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { keepDraft, readDraft, returnWords } from '../../lib/local-drafts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { draftKeyOf } from '../thread/draft-key.ts';
import type { Refusal } from '../thread/refusal.ts';
import type { Thread } from '../thread/thread-store.ts';
import { useThread } from '../thread/use-thread.ts';
import { type ConversationRecord, conversationQuery } from './use-conversation.ts';

/** "100 messages", of the server's sentence. */
const limitIn = ({ detail }: Refusal) => {
  const [, most, unit] = /limit of (\d+) (messages|tokens)/.exec(detail) ?? [];
  return most && unit ? { most: Number(most), unit: unit as 'messages' | 'tokens' } : undefined;
};

/** Begins the chat that goes on with this one; what was typed goes along. */
function useGoOn(conversationId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const router = useRouter();
  return async (summary: string) => {
    const made = await client.conversations.continue(conversationId, summary ? { summary } : {});
    const typed = readDraft(draftKeyOf(conversationId));
    keepDraft(draftKeyOf(conversationId), '');
    if (typed) returnWords(draftKeyOf(made.id), typed);
    queryClient.setQueryData(conversationQuery(w, made.id).queryKey, made);
    void queryClient.invalidateQueries({ queryKey: [w, 'conversations', 'list'] });
    await router.navigate({
      to: '/w/$w/chat/$id',
      params: { w, id: made.id },
      search: (before) => ({ ...before, message: undefined, new: undefined }),
    });
  };
}

/** From here on the page says how many messages a chat still takes. */
const nearFull = 10;

/** How many more messages a conversation takes, answers included. */
const roomOf = ({ message_count, settings }: ConversationRecord) =>
  Math.max(0, settings.usage_limits_max_messages - message_count);

interface RefusalCardProps {
  thread: Thread;
  conversation: ConversationRecord;
}

/** Above the composer near and at a limit: what that is, and how to go on. Also while a budget has refused a message. */
export function RefusalCard({ thread, conversation }: RefusalCardProps) {
  const refusal = useThread(thread, (snapshot) => snapshot.refusal);
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const room = roomOf(conversation);
  if (!refusal) {
    if (room > nearFull || answering || conversation.may?.['send'] === false) return null;
    const detail = `limit of ${conversation.settings.usage_limits_max_messages} messages`;
    if (room === 0) return <FullCard thread={thread} refusal={{ code: 'usage_limit_reached', detail }} sent />;
    return (
      <p role="status" className="mb-2 flex items-center gap-2 text-dense text-text-2 print:hidden">
        <Clock size={14} aria-hidden className="flex-none text-warn" />
        {/* Each message of a person has an answer, which counts, too. */}
        {t.chat.full.near(Math.ceil(room / 2))}
      </p>
    );
  }
  return refusal.code === 'usage_limit_reached' ? (
    <FullCard thread={thread} refusal={refusal} sent={false} />
  ) : (
    <section
      aria-label={t.chat.full.budget}
      className="mb-3 flex items-start gap-2.5 rounded-3 border border-warn-line bg-warn-soft px-3.5 py-3 text-dense print:hidden"
    >
      <Clock size={16} aria-hidden className="mt-0.5 flex-none text-warn" />
      <div role="alert" className="min-w-0 flex-1">
        <p className="font-medium text-warn">{t.chat.full.budget}</p>
        <p className="text-text-2">
          {refusal.detail} {t.chat.full.budgetHelp}
        </p>
      </div>
      <IconButton label={t.chat.full.hide} icon={<X size={15} />} onClick={() => thread.forgetRefusal()} />
    </section>
  );
}

interface FullCardProps {
  thread: Thread;
  refusal: Refusal;
  /** Whether all that was written has been sent. */
  sent: boolean;
}

function FullCard({ thread, refusal, sent }: FullCardProps) {
  const client = useClient();
  const goOn = useGoOn(thread.conversationId);
  const [summary, setSummary] = useState<string>();
  const [busy, setBusy] = useState<'summary' | 'empty'>();
  const limit = limitIn(refusal);
  const texts = t.chat.full;
  const during = async (what: 'summary' | 'empty', work: () => Promise<void>) => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const begin = () =>
    during('summary', async () => {
      if (summary !== undefined) return goOn(summary.trim());
      setSummary((await client.conversations.summarize(thread.conversationId)).summary);
    });
  return (
    <section
      aria-label={texts.title}
      className="mb-3 max-h-[50dvh] overflow-y-auto rounded-3 border border-warn-line bg-surface print:hidden"
    >
      <header className="flex items-center gap-2.5 border-b border-warn-line bg-warn-soft px-3.5 py-2.5">
        <Clock size={16} aria-hidden className="flex-none text-warn" />
        <h2 className="flex-1 text-base text-warn">{texts.title}</h2>
        {limit && <span className="num text-caption font-medium text-warn">{texts.most[limit.unit](limit.most)}</span>}
      </header>
      <div className="flex flex-col gap-3 px-3.5 py-3">
        <p role={sent ? 'status' : 'alert'} className="text-dense text-text-2">
          {limit ? texts.why[limit.unit] : refusal.detail} {sent ? texts.keptAll : texts.kept}
        </p>
        {summary !== undefined && (
          <TextArea
            aria-label={texts.summary}
            className="max-h-48 text-dense"
            value={summary}
            maxLength={20_000}
            onChange={(event) => setSummary(event.target.value)}
          />
        )}
        {/* Buttons are as wide as the card on phones. */}
        <div className="flex flex-wrap gap-2 max-phone:flex-col max-phone:[&>button]:min-h-11">
          <Button
            look="primary"
            busy={busy === 'summary'}
            disabled={busy !== undefined}
            icon={<Plus size={15} aria-hidden />}
            onClick={() => void begin()}
          >
            {summary === undefined ? texts.withSummary : texts.begin}
          </Button>
          <Button
            busy={busy === 'empty'}
            disabled={busy !== undefined}
            onClick={() => void during('empty', () => goOn(''))}
          >
            {texts.empty}
          </Button>
        </div>
        <p className="text-caption text-text-3">{summary === undefined ? texts.alongHelp : texts.summaryHelp}</p>
      </div>
    </section>
  );
}
