import { Outlet, useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useWorkspace } from '../api/session.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { t } from '../text/en.ts';
import { cx } from '../ui/cx.ts';
import { useOpenDocument } from './citations/open-document.ts';
import { ConversationList } from './list/conversation-list.tsx';
import { later } from './parts/later.tsx';

export { ConversationPage } from './conversation/conversation-page.tsx';
export { StartPage } from './start/start-page.tsx';

const DocumentDrawer = lazyPart(() =>
  import('./citations/document-drawer.tsx').then(({ DocumentDrawer }) => ({ default: DocumentDrawer })),
);

const OutboxSender = later(() => import('./composer/outbox-sender.tsx').then((file) => file.OutboxSender));

/** The conversations at the left, one of them or the start at the right. Below 900 px one of the two. */
export function ChatPage() {
  const { id: w } = useWorkspace();
  const router = useRouter();
  const conversation = useMatch({ from: '/signed-in/w/$w/chat/$id', shouldThrow: false });
  const isNew = useSearch({ from: '/signed-in/w/$w/chat' }).new;
  const opened = conversation !== undefined || isNew;
  const hasDocument = useOpenDocument(({ place }) => place !== undefined);
  useShortcuts([
    {
      keys: 'mod+shift+o',
      label: t.chat.newChat,
      onPress: () =>
        void router.navigate({
          to: '/w/$w/chat',
          params: { w },
          search: (before) => ({ ...before, new: true as const }),
        }),
    },
  ]);
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <ConversationList
        current={conversation?.params.id}
        className={cx(
          'w-63 flex-none border-r border-line max-narrow:w-full max-narrow:border-r-0',
          opened && 'max-narrow:hidden',
        )}
      />
      <div className={cx('flex min-h-0 min-w-0 flex-1 bg-surface', !opened && 'max-narrow:hidden')}>
        <Outlet />
      </div>
      <OutboxSender workspaceId={w} current={conversation?.params.id} />
      {hasDocument && (
        <Suspense fallback={null}>
          <DocumentDrawer />
        </Suspense>
      )}
    </div>
  );
}
