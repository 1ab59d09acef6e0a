import { Share, UserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { ConversationSlotProps } from '../slots.ts';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx').then(({ ShareDialog }) => ({ default: ShareDialog })));

/** In the header of a chat: share it, and answer in place of the agent. */
export function HeaderActions({ conversation }: ConversationSlotProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const [open, setOpen] = useState(false);
  const takeOver = async () => {
    try {
      await client.conversations.update(conversation.id, { manual: true });
      sayToast({ text: t.chatParts.person.takenOver });
    } catch (error) {
      sayFailure(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: [w, 'conversations'] });
    }
  };
  return (
    <>
      {!conversation.manual && may('conversations_read') && may('agents_run') && (
        <span className="max-phone:hidden">
          <IconButton
            label={t.chatParts.person.takeOver}
            icon={<UserRound size={16} />}
            onClick={() => void takeOver()}
          />
        </span>
      )}
      {may('agents_run') && (
        <IconButton label={t.share.action} icon={<Share size={16} />} onClick={() => setOpen(true)} />
      )}
      {open && (
        <Suspense fallback={null}>
          <ShareDialog conversation={conversation} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
