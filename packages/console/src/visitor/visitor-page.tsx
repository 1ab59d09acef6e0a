import { AtriumError } from '@atrium/sdk';
import { MessageSquarePlus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { GuestChat, guestKey, useGuestConversation } from '../shared/guest-chat.tsx';
import { makeGuestThread } from '../shared/guest-thread.ts';
import { t } from '../text/en.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { VisitorConfig } from './config.ts';
import { visitorFiles } from './visitor-files.tsx';
import { makeVisitorLink, useVisitorToken } from './visitor-link.ts';

/** In place of a chat whose address was changed or switched off. */
export const NoChat = () => (
  <main className="flex h-full bg-surface">
    <EmptyState wholePage className="my-auto" title={t.share.page.gone.title} help={t.share.page.gone.help} />
  </main>
);

/** The page at which visitors talk to an agent, alone or inside of another page. */
export function VisitorPage({ config }: { config: VisitorConfig }) {
  const [round, setRound] = useState(0);
  const link = useMemo(() => makeVisitorLink(config), [config]);
  const token = useVisitorToken((state) => state.token);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new conversation is a new thread.
  const thread = useMemo(
    () => makeGuestThread(link, () => void queryClient.invalidateQueries({ queryKey: guestKey(link.token()) })),
    [link, round],
  );
  const { data, error } = useGuestConversation(token);
  const isGone = error instanceof AtriumError && error.status === 404;

  const beginAnew = () => {
    link.forget();
    thread.close();
    setRound(round + 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conversation that is gone.
  useEffect(() => {
    if (isGone) beginAnew();
  }, [isGone]);

  return (
    <div data-paper className="flex h-full flex-col bg-surface">
      <header className="flex min-h-13 flex-none items-center gap-2.5 border-b border-line px-5 in-data-covered:pr-14 max-narrow:px-4">
        <span
          aria-hidden
          className="grid size-7 flex-none place-items-center rounded-2 bg-[var(--brand,var(--accent))] text-label font-semibold text-[var(--on-brand,var(--on-accent))]"
        >
          {[...config.title.trim()][0]?.toUpperCase()}
        </span>
        <h1 className="min-w-0 flex-1 truncate text-section">{config.title}</h1>
        {token && <IconButton label={t.share.page.anew} icon={<MessageSquarePlus size={17} />} onClick={beginAnew} />}
      </header>
      <main className="flex min-h-0 flex-1 flex-col">
        <GuestChat
          key={round}
          thread={thread}
          token={token}
          conversation={isGone ? undefined : data}
          draftKey={`visitor.${config.deployment_id}`}
          placeholder={config.placeholder || t.share.page.ask}
          names={{ agent: config.title, you: t.share.page.visitor }}
          greeting={config.greeting}
          noReply={config.no_reply}
          {...(config.allow_files && { slots: visitorFiles })}
        />
      </main>
    </div>
  );
}
