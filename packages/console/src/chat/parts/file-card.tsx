import { Download, FileText } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { saveBytes } from './save-bytes.ts';
import type { ShownFile } from './shown-file.ts';

const FilePreview = lazyPart(() => import('./file-preview.tsx').then(({ FilePreview }) => ({ default: FilePreview })));

export function useDownload(conversationId: string, { id, name }: ShownFile) {
  const client = useClient();
  return async () => {
    try {
      saveBytes(name, await (await client.conversationFiles.view(conversationId, id)).blob());
    } catch (error) {
      sayFailure(error);
    }
  };
}

/** "PDF", "CSV": the kind of a file in a word. */
const kindOf = ({ name, type }: ShownFile) =>
  (/\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? type.split('/')[1] ?? '').toUpperCase();

/** A file with its name: opens in the page, or is saved. */
export function FileCard({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const [open, setOpen] = useState(false);
  const download = useDownload(conversationId, file);
  const about = [kindOf(file), file.size !== undefined && sayBytes(file.size)].filter(Boolean).join(' · ');
  const words = (
    <>
      <span aria-hidden className="grid size-8.5 flex-none place-items-center rounded-2 bg-sunken text-text-2">
        <FileText size={16} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-label font-medium">{file.name}</span>
        <span className="block text-caption text-text-3">{about}</span>
      </span>
    </>
  );
  return (
    <div className="flex w-72 max-w-full items-center rounded-3 border border-line bg-surface pr-1.5">
      {file.id ? (
        <button
          type="button"
          aria-label={t.chatParts.files.open(file.name)}
          onClick={() => setOpen(true)}
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-3 p-2 text-left hover:bg-bg"
        >
          {words}
        </button>
      ) : (
        <div className="flex min-w-0 flex-1 items-center gap-2.5 p-2">{words}</div>
      )}
      {file.id && (
        <IconButton
          label={t.chatParts.files.download(file.name)}
          icon={<Download size={15} />}
          onClick={() => void download()}
        />
      )}
      {open && (
        <Suspense fallback={null}>
          <FilePreview conversationId={conversationId} file={file} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
