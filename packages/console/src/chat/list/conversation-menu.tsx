import { useRouter } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Download, Mail, MailOpen, Pencil, Pin, PinOff, Printer, Trash2 } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import { Menu } from '../../ui/menu.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { forgetThread } from '../thread/threads.ts';

const RenameDialog = lazyPart(() =>
  import('./rename-dialog.tsx').then(({ RenameDialog }) => ({ default: RenameDialog })),
);
const Confirm = lazyPart(() => import('../../ui/confirm.tsx').then(({ Confirm }) => ({ default: Confirm })));

interface ConversationMenuProps {
  id: string;
  name: string;
  marks: { pinned: boolean; archived: boolean; unread: boolean } | undefined;
  trigger: ReactNode;
  /** Only where the conversation is open. */
  onPrint?: () => void;
}

/** What can be done with a conversation as a whole. */
export function ConversationMenu({ id, name, marks, trigger, onPrint }: ConversationMenuProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const router = useRouter();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [w, 'conversations'] });
  const mark = async (change: { pinned?: boolean; archived?: boolean; unread?: boolean }) => {
    try {
      await client.conversations.mark(id, change);
      await refresh();
      if (change.archived)
        sayToast({
          text: t.chat.menu.archived,
          action: { label: t.chat.menu.undo, onClick: () => void mark({ archived: false }) },
        });
    } catch (error) {
      sayFailure(error, () => void mark(change));
    }
  };
  const remove = async () => {
    await client.conversations.delete(id);
    forgetThread(id);
    queryClient.removeQueries({ queryKey: [w, 'conversations', id] });
    await refresh();
    if (router.state.location.pathname.endsWith(id)) await router.navigate({ to: '/w/$w/chat', params: { w } });
  };
  const download = () => {
    const link = document.createElement('a');
    link.href = client.url('conversations.export', id, { format: 'markdown' });
    link.download = '';
    link.click();
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={trigger}
        groups={[
          [
            { label: t.chat.menu.rename, icon: <Pencil size={15} />, onSelect: () => setDialog('rename') },
            marks?.pinned
              ? { label: t.chat.menu.unpin, icon: <PinOff size={15} />, onSelect: () => void mark({ pinned: false }) }
              : { label: t.chat.menu.pin, icon: <Pin size={15} />, onSelect: () => void mark({ pinned: true }) },
            marks?.unread
              ? {
                  label: t.chat.menu.markRead,
                  icon: <MailOpen size={15} />,
                  onSelect: () => void mark({ unread: false }),
                }
              : {
                  label: t.chat.menu.markUnread,
                  icon: <Mail size={15} />,
                  onSelect: () => void mark({ unread: true }),
                },
            marks?.archived
              ? {
                  label: t.chat.menu.unarchive,
                  icon: <ArchiveRestore size={15} />,
                  onSelect: () => void mark({ archived: false }),
                }
              : {
                  label: t.chat.menu.archive,
                  icon: <Archive size={15} />,
                  onSelect: () => void mark({ archived: true }),
                },
            { label: t.chat.menu.export, icon: <Download size={15} />, onSelect: download },
            ...(onPrint ? [{ label: t.chat.print.action, icon: <Printer size={15} />, onSelect: onPrint }] : []),
          ],
          [
            {
              label: t.chat.menu.delete,
              icon: <Trash2 size={15} />,
              danger: true,
              onSelect: () => setDialog('delete'),
            },
          ],
        ]}
      />
      {dialog && (
        <Suspense fallback={null}>
          {dialog === 'rename' ? (
            <RenameDialog id={id} name={name} onClose={close} />
          ) : (
            <Confirm
              open
              onClose={close}
              title={t.chat.menu.deleteTitle(name)}
              help={t.chat.menu.deleteHelp}
              action={t.chat.menu.deleteAction}
              onConfirm={remove}
            />
          )}
        </Suspense>
      )}
    </>
  );
}
