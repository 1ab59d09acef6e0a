import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import { lookOf } from '../../ui/file/kind-of-file.ts';
import type { PartProps } from '../slots.ts';
import { useAddress, useBytes } from './file-bytes.ts';
import { FileCard } from './file-card.tsx';
import { fileOfPart, isPicture, type ShownFile } from './shown-file.ts';

const FilePreview = lazyPart(() => import('./file-preview.tsx').then(({ FilePreview }) => ({ default: FilePreview })));

/** A file of a message: pictures are shown, others are cards. */
export function FilePart({ part, thread }: PartProps) {
  const file = fileOfPart(part);
  const { conversationId } = thread;
  return (
    <div className="my-2 max-w-full">
      {isPicture(file.type) && file.id ? (
        <Picture conversationId={conversationId} file={file} />
      ) : (
        <FileCard conversationId={conversationId} file={file} />
      )}
      {file.sent && <p className="mt-1 text-caption text-text-3">{saySent(file)}</p>}
    </div>
  );
}

const words = t.chatParts.files.sent;
/** Of a table it says that its columns were sent. */
const saySent = ({ sent, name, type }: ShownFile) =>
  sent === 'summary' && (lookOf(name, type) === 'csv' || type.includes('spreadsheetml'))
    ? words.summaryOfTable
    : sent && words[sent];

function Picture({ conversationId, file }: { conversationId: string; file: ShownFile }) {
  const [open, setOpen] = useState(false);
  const { data, isError } = useBytes(conversationId, file, true);
  const address = useAddress(data);
  if (isError) return <FileCard conversationId={conversationId} file={file} />;
  return (
    <>
      <button
        type="button"
        aria-label={t.chatParts.files.open(file.name)}
        onClick={() => setOpen(true)}
        className="block min-h-16 min-w-24 max-w-full overflow-hidden rounded-3 border border-line bg-sunken"
      >
        {address && <img src={address} alt={file.name} className="max-h-80 max-w-full object-contain" />}
      </button>
      {open && (
        <Suspense fallback={null}>
          <FilePreview conversationId={conversationId} file={file} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
