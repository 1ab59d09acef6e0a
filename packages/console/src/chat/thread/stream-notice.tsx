import { WifiOff } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useAfter } from '../../ui/states.tsx';
import type { Thread } from './thread-store.ts';
import { useThread } from './use-thread.ts';

/** Says that the words of an answer do not arrive at the moment; nothing while they do. */
export function StreamNotice({ thread }: { thread: Thread }) {
  const stream = useThread(thread, (snapshot) => snapshot.stream);
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  if (!answering || (stream !== 'lost' && stream !== 'joining')) return null;
  return <Notice key={stream} lost={stream === 'lost'} />;
}

function Notice({ lost }: { lost: boolean }) {
  // A pause of a second is no news.
  if (!useAfter(1000)) return null;
  return (
    <p role="status" className="mb-2 flex items-center gap-2 text-dense text-text-2">
      {lost ? <WifiOff size={14} aria-hidden className="text-warn" /> : <Spinner />}
      {lost ? t.chat.thread.lost : t.chat.thread.joining}
    </p>
  );
}
