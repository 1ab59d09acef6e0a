import { FileText, LoaderCircle, Upload, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { sayBytes, sayPercent } from '../../lib/numbers.ts';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import type { AttachmentsProps } from '../slots.ts';
import { type Attachment, clearAttachments, isReady, useAttachments } from './attachments.ts';

const none: readonly Attachment[] = [];
const filesIn = (data: DataTransfer | null) => [...(data?.files ?? [])];

export interface AttachmentListProps extends Pick<AttachmentsProps, 'onChange' | 'sent'> {
  place: string;
  add: (files: Iterable<File>) => void;
  remove: (key: number) => void;
}

/** The files of the next message above its words. Files are taken by dropping and pasting too. */
export function AttachmentList({ place, add, remove, onChange, sent }: AttachmentListProps) {
  const files = useAttachments((all) => all[place]) ?? none;
  const [dragging, setDragging] = useState(false);
  const mark = useRef<HTMLDivElement>(null);
  const lastSent = useRef(sent);

  useEffect(() => {
    if (sent === lastSent.current) return;
    lastSent.current = sent;
    clearAttachments(place);
  }, [sent, place]);

  useEffect(() => {
    const kept = files.filter(({ failure }) => failure === undefined);
    if (kept.some((file) => !isReady(file))) return onChange(undefined);
    const given = kept.map(({ id, b64, name, type, size }) =>
      id ? { id, name, type, size } : { b64_content: b64 ?? '', name, type, size },
    );
    onChange(given.length ? ({ files: given } as never) : {});
  }, [files, onChange]);

  const take = useRef(add);
  take.current = add;
  useEffect(() => {
    const form = mark.current?.closest('form');
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(false);
      take.current(filesIn(event.dataTransfer));
    };
    const paste = (event: ClipboardEvent) => {
      const pasted = filesIn(event.clipboardData);
      if (pasted.length === 0) return;
      event.preventDefault();
      take.current(pasted);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    form?.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
      form?.removeEventListener('paste', paste);
    };
  }, []);

  return (
    <div ref={mark}>
      {dragging && (
        <p className="mb-2 flex items-center justify-center gap-2 rounded-3 border border-dashed border-accent bg-accent-soft py-4 text-label text-accent">
          <Upload size={16} aria-hidden />
          {t.chatParts.files.drop}
        </p>
      )}
      {files.length > 0 && (
        <ul aria-label={t.chatParts.files.list} className="mb-2.5 flex flex-wrap gap-2 max-phone:px-2 max-phone:pt-1.5">
          {files.map((file) => (
            <Chosen key={file.key} file={file} onRemove={() => remove(file.key)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chosen({ file, onRemove }: { file: Attachment; onRemove: () => void }) {
  const { name, size, progress, failure } = file;
  const going = !failure && !isReady(file);
  return (
    <li
      className={cx(
        'relative flex max-w-60 items-center gap-2 overflow-hidden rounded-2 border bg-bg py-1.5 pr-1 pl-2.5 text-dense',
        failure ? 'border-bad-line' : 'border-line',
      )}
    >
      {going ? (
        <LoaderCircle size={15} aria-hidden className="flex-none text-accent motion-safe:animate-spin" />
      ) : (
        <FileText size={15} aria-hidden className={cx('flex-none', failure ? 'text-bad' : 'text-text-3')} />
      )}
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className={cx('num block truncate text-caption', failure ? 'text-bad' : 'text-text-3')}>
          {failure ?? (going ? sayPercent(progress) : sayBytes(size))}
        </span>
      </span>
      <button
        type="button"
        aria-label={t.chatParts.files.remove(name)}
        onClick={onRemove}
        className="grid size-7 flex-none place-items-center rounded-2 text-text-2 hover:bg-sunken pointer-coarse:size-11"
      >
        <X size={14} aria-hidden />
      </button>
      {going && (
        <progress
          aria-label={t.chatParts.files.progress(name)}
          max={1}
          value={progress}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full accent-accent"
        />
      )}
    </li>
  );
}
