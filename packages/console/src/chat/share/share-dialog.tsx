import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { ConversationRecord } from '../conversation/use-conversation.ts';
import { Colleagues } from './colleagues.tsx';
import { GuestLink } from './guest-link.tsx';

/** Who may see a chat: colleagues and groups of the workspace, and guests by a link. */
export function ShareDialog({ conversation, onClose }: { conversation: ConversationRecord; onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { id, name, may, deployment_id } = conversation;
  const [isPicking, setPicking] = useState(false);
  const [isLinkChanged, setLinkChanged] = useState(false);
  const shares = useQuery({
    queryKey: [w, 'conversations', id, 'shares'],
    queryFn: () => client.conversations.listShares(id),
  });
  const mayShare = may?.share === true;
  return (
    <Dialog
      open
      onClose={onClose}
      changed={isPicking || isLinkChanged}
      title={name ? t.share.titleOf(name) : t.share.title}
      foot={<Button onClick={onClose}>{t.share.done}</Button>}
    >
      <div className="flex flex-col gap-5">
        {!mayShare && <p className="text-dense text-text-2">{t.share.notYours}</p>}
        <Colleagues conversation={conversation} shares={shares} mayShare={mayShare} onPicking={setPicking} />
        {shares.data && (
          <p role="note" className="flex items-start gap-2 text-dense text-text-2">
            <ShieldCheck size={15} aria-hidden className="mt-0.5 flex-none" />
            {t.share.restricted(shares.data.restricted_answers)}
          </p>
        )}
        {mayShare && (
          <GuestLink conversation={conversation} isOfVisitor={deployment_id !== null} onChanged={setLinkChanged} />
        )}
      </div>
    </Dialog>
  );
}
