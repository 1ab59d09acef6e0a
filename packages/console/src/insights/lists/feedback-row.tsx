import type { ItemOf } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { insightTexts } from '../../text/insights.ts';
import { Chip } from '../../ui/chip.tsx';

const words = insightTexts.feedback;

/** The rating that a person gave an answer, with a link to the answer. */
export function FeedbackRow({ entry }: { entry: ItemOf<'feedback.listAll'> }) {
  const { id: w } = useWorkspace();
  const { rating, score, comment, conversation_id, message_id, given_by, created_at } = entry;
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-2.5 text-dense">
      {rating && <Chip tone={rating === 'up' ? 'ok' : 'bad'}>{rating === 'up' ? words.up : words.down}</Chip>}
      {score !== null && <Chip>{words.score(score)}</Chip>}
      <span dir="auto" className="min-w-40 flex-1 break-words">
        {comment}
      </span>
      <span className="text-text-2">{given_by.name ?? words.guest}</span>
      <span className="num text-text-3">{sayTime(created_at)}</span>
      <Link
        to="/w/$w/chat/$id"
        params={{ w, id: conversation_id }}
        search={message_id ? { message: message_id } : {}}
        className="font-medium whitespace-nowrap"
      >
        {insightTexts.lists.openChat}
      </Link>
    </li>
  );
}
