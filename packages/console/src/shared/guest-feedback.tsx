import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextArea } from '../ui/text-field.tsx';
import { sayFailure } from '../ui/toast.tsx';

export type FeedbackForm = Awaited<ReturnType<typeof client.publicConversations.get>>['feedback_form'];

/** Good or bad, with why; the form's words are those of the agent's settings. */
export function GuestFeedback(props: { token: string; messageId: string; form: FeedbackForm }) {
  const { token, messageId, form } = props;
  const [given, setGiven] = useState<'up' | 'down'>();
  const [asking, setAsking] = useState(false);
  const [thanked, setThanked] = useState(false);
  const texts = t.chatParts.feedback;

  const give = async (rating: 'up' | 'down', comment?: string) => {
    try {
      await client.publicConversations.giveFeedback(token, {
        ...{ rating, message_id: messageId, ...(comment && { comment }) },
      });
      setGiven(rating);
      setThanked(rating === 'up' || comment !== undefined);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <div className="mt-1 -ml-1.5 print:hidden">
      <div className="flex items-center gap-0.5">
        <IconButton
          label={texts.good}
          icon={<ThumbsUp size={15} {...(given === 'up' && { fill: 'currentColor' })} />}
          on={given === 'up'}
          onClick={() => {
            setAsking(false);
            void give('up');
          }}
        />
        <IconButton
          label={texts.bad}
          icon={<ThumbsDown size={15} {...(given === 'down' && { fill: 'currentColor' })} />}
          on={given === 'down'}
          aria-expanded={asking}
          onClick={() => {
            setAsking(!asking);
            if (!asking) void give('down');
          }}
        />
        <span role="status" className="ml-1 text-caption text-text-3">
          {thanked && texts.given}
        </span>
      </div>
      {asking && (
        <form
          className="mt-1.5 ml-1.5 flex max-w-125 flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const comment = String(new FormData(event.currentTarget).get('comment') ?? '').trim();
            setAsking(false);
            if (comment) void give('down', comment);
          }}
        >
          <TextArea
            name="comment"
            autoFocus
            maxLength={5000}
            aria-label={form.placeholder}
            placeholder={form.placeholder}
          />
          <div className="flex gap-2">
            <Button type="submit" size="small" look="primary">
              {form.submit_label}
            </Button>
            <Button size="small" look="ghost" onClick={() => setAsking(false)}>
              {form.cancel_label}
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
