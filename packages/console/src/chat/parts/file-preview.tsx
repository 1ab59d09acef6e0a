import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useAddress, useBytes } from './file-bytes.ts';
import { useDownload } from './file-card.tsx';
import { isPicture, isText, type ShownFile } from './shown-file.ts';

const mostCharacters = 200_000;

/** A file over the page: pictures and texts as they are, others as a picture of their first page. */
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
      {isPicture(file.type) ? (
        <PicturePreview {...props} />
      ) : file.type === 'text/html' ? (
        <FramedPage {...props} />
      ) : isText(file.type) ? (
        <TextPreview {...props} />
      ) : (
        <PagePreview file={file} />
      )}
    </Dialog>
  );
}

function PicturePreview({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const { data, error, refetch } = useBytes(conversationId, file, true);
  const address = useAddress(data);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return address ? <img src={address} alt={file.name} className="mx-auto max-h-[65dvh] max-w-full" /> : <Loading />;
}

function TextPreview({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const { id: w } = useWorkspace();
  const bytes = useBytes(conversationId, file, true);
  const text = useQuery({
    queryKey: [w, 'conversation-files', conversationId, file.id, 'text'],
    queryFn: async () => (await bytes.data?.text())?.slice(0, mostCharacters) ?? '',
    enabled: bytes.data !== undefined,
  });
  if (bytes.error) return <ErrorState error={bytes.error} onRetry={() => void bytes.refetch()} />;
  if (text.data === undefined) return <Loading />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
    <pre tabIndex={0} dir="auto" className="max-h-[65dvh] overflow-auto font-mono text-code whitespace-pre-wrap">
      {text.data}
    </pre>
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
  if (!data) return <TextPreview conversationId={conversationId} file={file} />;
  return (
    <iframe src={address} title={file.name} sandbox="" className="h-[60dvh] w-full rounded-2 border border-line" />
  );
}

/** The first page of a document, drawn by the server. */
function PagePreview({ file }: { file: ShownFile }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const { data, error } = useQuery({
    queryKey: [w, 'files', file.id, 'page'],
    queryFn: async () => (await client.files.thumbnail(file.id, { width: 1024 })).blob(),
    enabled: may('files_read'),
    retry: false,
  });
  const address = useAddress(data);
  if (error || !may('files_read')) return <EmptyState title={t.chatParts.files.noPreview} />;
  return address ? (
    <img src={address} alt={file.name} className="mx-auto max-w-full border border-line" />
  ) : (
    <Loading />
  );
}
