import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useClient } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/states.tsx';
import { useDownload } from './file-card.tsx';
import { FileContent } from './file-content.tsx';
import type { ShownFile } from './shown-file.ts';

/** A file over the page. */
export function FilePreview(props: { conversationId: string; file: ShownFile; onClose: () => void }) {
  const { conversationId, file, onClose } = props;
  const download = useDownload(conversationId, file);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={file.name}
      foot={
        <Button icon={<Download size={15} aria-hidden />} onClick={() => void download()}>
          {t.chatParts.files.download(file.name)}
        </Button>
      }
    >
      {file.type === 'text/html' ? <FramedPage {...props} /> : <BytesContent {...props} />}
    </Dialog>
  );
}

function BytesContent({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const client = useClient();
  return (
    <FileContent
      file={file}
      queryKey={['conversation-files', conversationId, file.id]}
      load={async () => (await client.conversationFiles.view(conversationId, file.id)).blob()}
    />
  );
}

/**
 * A page that a tool made, in a frame that runs nothing. A frame can't name a workspace: where the session's own one is
 * another, the page's text is shown.
 */
function FramedPage({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const client = useClient();
  const address = client.url('conversationFiles.view', conversationId, file.id);
  const { data, isPending } = useQuery({
    queryKey: ['framed-page', address],
    queryFn: async () => {
      const { ok, headers } = await fetch(address);
      return ok && (headers.get('content-disposition') ?? '').startsWith('inline');
    },
    retry: false,
  });
  if (isPending) return <Loading />;
  if (!data) return <BytesContent conversationId={conversationId} file={file} />;
  return (
    <iframe src={address} title={file.name} sandbox="" className="h-[60dvh] w-full rounded-2 border border-line" />
  );
}
