import { Download, Trash2 } from 'lucide-react';
import { useClient } from '../../api/session.ts';
import { FileContent } from '../../chat/parts/file-content.tsx';
import { sayBytes } from '../../lib/numbers.ts';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Uses } from '../common/uses.tsx';
import { type StoredFile, useDownloadFile } from './files.ts';

const words = resourceTexts.files;
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
        <FileContent
          file={{ id: file.id, name: filename, type: content_type, size }}
          queryKey={['file-bytes', file.id]}
          load={async () => (await client.files.download(file.id)).blob()}
        />
        <Uses queryKey={['files', file.id]} load={() => client.files.listUses(file.id)} />
      </div>
    </Dialog>
  );
}
