import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import type { ConversationRecord } from '../conversation/use-conversation.ts';
import { FileCard } from '../parts/file-card.tsx';
import { PanelSection } from './panel-section.tsx';

/** The files that came with messages, that tools made, and that the agent has. */
export function FileList({ conversation: { id, etag } }: { conversation: ConversationRecord }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'conversations', id, 'files', etag],
    queryFn: () => client.conversationFiles.list(id, { size: 50 }),
    placeholderData: (before) => before,
  });
  const more = (data?.total ?? 0) - (data?.items.length ?? 0);
  return (
    <PanelSection title={t.chatParts.details.files}>
      {data?.items.length === 0 && <p className="text-dense text-text-3">{t.chatParts.details.noFiles}</p>}
      <ul className="flex flex-col gap-2">
        {data?.items.map(({ id: file, filename, content_type, size }) => (
          <li key={file}>
            <FileCard conversationId={id} file={{ id: file, name: filename, type: content_type, size }} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-caption text-text-3">{t.chatParts.details.moreFiles(more)}</p>}
    </PanelSection>
  );
}
