import { useQuery } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useAddress } from '../../chat/parts/file-bytes.ts';
import { isPicture, isText } from '../../chat/parts/shown-file.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { Uses } from '../common/uses.tsx';
import { hasPicture, type StoredFile, useDownloadFile, usePicture } from './files.ts';

const words = resourceTexts.files;
/** What is shown of a text; the whole is in the download. */
const mostCharacters = 100_000;
const mostBytes = 5_000_000;

/** A file over the list: what is in it, and what uses it. */
export function FileView(props: { file: StoredFile; onClose: () => void; onDelete: () => void }) {
  const { file, onClose, onDelete } = props;
  const { filename, content_type, size, created_at, may } = file;
  const client = useClient();
  const download = useDownloadFile();
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={filename}
      help={`${content_type} · ${sayBytes(size)} · ${words.uploaded(sayTime(created_at))}`}
      foot={
        <>
          <Button
            look="danger"
            icon={<Trash2 size={15} aria-hidden />}
            refused={!may?.['delete'] && resourceTexts.needs('files_edit')}
            onClick={onDelete}
          >
            {t.ui.delete}
          </Button>
          <Button look="primary" icon={<Download size={15} aria-hidden />} onClick={() => void download(file)}>
            {words.download}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Preview file={file} />
        <Uses queryKey={['files', file.id]} load={() => client.files.listUses(file.id)} />
      </div>
    </Dialog>
  );
}

function Preview({ file }: { file: StoredFile }) {
  const { content_type, size } = file;
  if (size <= mostBytes && isText(content_type)) return <TextPreview file={file} />;
  if (isPicture(content_type) || hasPicture(file)) return <PicturePreview file={file} />;
  return <p className="rounded-3 bg-sunken px-4 py-8 text-center text-text-2">{words.noPreview}</p>;
}

function PicturePreview({ file }: { file: StoredFile }) {
  const { data, error, refetch } = usePicture(file, 1024, true);
  const address = useAddress(data);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />;
  return address ? (
    <img src={address} alt={file.filename} className="mx-auto max-h-[55dvh] max-w-full rounded-2 border border-line" />
  ) : (
    <Loading />
  );
}

function TextPreview({ file }: { file: StoredFile }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [w, 'file-texts', file.id],
    queryFn: async () => (await (await client.files.download(file.id)).text()).slice(0, mostCharacters),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />;
  if (data === undefined) return <Loading />;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
      tabIndex={0}
      dir="auto"
      className="max-h-[50dvh] overflow-auto rounded-3 bg-sunken p-3.5 font-mono text-code whitespace-pre-wrap"
    >
      {data}
    </pre>
  );
}
