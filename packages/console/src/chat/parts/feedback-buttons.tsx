import { useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useMay, useSession, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { agentWords } from '../conversation/agent-words.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import type { MessageSlotProps } from '../slots.ts';

interface Given {
  rating: 'up' | 'down' | null;
  comment: string | null;
}

/** What the person said about the answers of a conversation, by message. */
function useOwnFeedback(conversationId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { person } = useSession();
  const may = useMay();
  const queryKey = [w, 'conversations', conversationId, 'own-feedback'];
  const { data } = useQuery({
    queryKey,
    queryFn: async (): Promise<Record<string, Given>> => {
      const { items } = await client.feedback.list(conversationId, { size: 100 });
      const own = items.filter(({ given_by, message_id }) => given_by.id === person.id && message_id);
      return Object.fromEntries(own.map(({ message_id, rating, comment }) => [message_id, { rating, comment }]));
    },
    enabled: may('conversations_read'),
    staleTime: 60_000,
  });
  const keep = (messageId: string, given: Given | undefined) =>
    queryClient.setQueryData<Record<string, Given | undefined>>(queryKey, (old) => ({ ...old, [messageId]: given }));
  return { given: data ?? {}, keep };
}

/** Good or bad, with why. Both can be taken back. */
export function FeedbackButtons({ message, thread }: MessageSlotProps) {
  const client = useClient();
  const { conversationId } = thread;
  const { given, keep } = useOwnFeedback(conversationId);
  const settings = useConversation(conversationId).data?.settings;
  const [asking, setAsking] = useState<'up' | 'down'>();
  /** What was typed and not sent, by rating: a press outside of the box keeps it. */
  const [typed, setTyped] = useState<{ up?: string; down?: string }>({});
  const own = given[message.id];
  const texts = t.chatParts.feedback;

  const give = async (rating: 'up' | 'down', comment?: string) => {
    try {
      await client.feedback.giveForMessage(conversationId, message.id, { rating, ...(comment && { comment }) });
      keep(message.id, { rating, comment: comment ?? null });
      if (comment) sayToast({ text: texts.given });
    } catch (error) {
      sayFailure(error);
    }
  };
  const takeBack = async () => {
    setAsking(undefined);
    setTyped({});
    try {
      await client.feedback.deleteForMessage(conversationId, message.id);
      keep(message.id, undefined);
      sayToast({ text: texts.removed });
    } catch (error) {
      sayFailure(error);
    }
  };
  const button = (rating: 'up' | 'down') => {
    const chosen = own?.rating === rating;
    const Icon = rating === 'up' ? ThumbsUp : ThumbsDown;
    return (
      <Popover
        side="top"
        label={rating === 'up' ? texts.whyGood : texts.why}
        open={asking === rating}
        onOpenChange={(open) => {
          setAsking(open ? rating : undefined);
          if (open && !chosen) void give(rating);
        }}
        trigger={
          <IconButton
            label={rating === 'up' ? texts.good : texts.bad}
            icon={<Icon size={15} {...(chosen && { fill: 'currentColor' })} />}
            on={chosen}
          />
        }
      >
        <WhyForm
          label={rating === 'up' ? texts.whyGood : texts.why}
          settings={settings}
          words={typed[rating] ?? (chosen ? (own.comment ?? '') : '')}
          onType={(words) => setTyped((old) => ({ ...old, [rating]: words }))}
          onSend={(comment) => {
            setAsking(undefined);
            setTyped({});
            void give(rating, comment);
          }}
          onTakeBack={() => void takeBack()}
          onCancel={() => {
            setAsking(undefined);
            setTyped({});
          }}
        />
      </Popover>
    );
  };
  return (
    <>
      {button('up')}
      {button('down')}
    </>
  );
}

interface WhyFormProps {
  label: string;
  /** Of the conversation: some of the form's words are the agent's. */
  settings: unknown;
  words: string;
  onType: (words: string) => void;
  onSend: (comment: string) => void;
  onTakeBack: () => void;
  onCancel: () => void;
}

function WhyForm({ settings, words, ...props }: WhyFormProps) {
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend(words.trim());
      }}
    >
      <Field label={props.label} help={t.chatParts.feedback.whyHelp}>
        <TextArea
          value={words}
          maxLength={10_000}
          placeholder={agentWords(settings, 'feedback_placeholder', '')}
          onChange={(event) => props.onType(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="ghost" onClick={props.onTakeBack} className="mr-auto">
          {t.chatParts.feedback.takeBack}
        </Button>
        <Button onClick={props.onCancel}>
          {agentWords(settings, 'feedback_cancel_label', t.chatParts.feedback.cancel)}
        </Button>
        <Button type="submit" look="primary" disabled={!words.trim()}>
          {agentWords(settings, 'feedback_submit_label', t.chatParts.feedback.send)}
        </Button>
      </div>
    </form>
  );
}
