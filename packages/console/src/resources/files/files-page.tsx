import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, File as FileIcon, Trash2, Upload } from 'lucide-react';
import { type DragEvent, Suspense, useDeferredValue, useRef, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Select } from '../../ui/select.tsx';
import { FindBar, Listed, TabBody, useRows } from '../common/listed.tsx';
import { usePages } from '../common/use-pages.ts';
import { FileRow } from './file-row.tsx';
import { type StoredFile, useDownloadFile } from './files.ts';
import { UploadList } from './upload-list.tsx';
import { useUpload } from './use-upload.ts';

const FileView = lazyPart(() => import('./file-view.tsx').then(({ FileView }) => ({ default: FileView })));
const DeleteFiles = lazyPart(() => import('./delete-files.tsx').then(({ DeleteFiles }) => ({ default: DeleteFiles })));
const words = resourceTexts.files;
type Kind = keyof typeof words.kinds;
type Sort = keyof typeof words.sorts;
const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** The files of the workspace. Filters and the file that is open are in the address. */
export function FilesPage() {
  const {
    search = '',
    kind,
    sort = '-created_at',
    file: openId,
  } = useSearch({
    from: '/signed-in/w/$w/resources/$tab',
  });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const mayEdit = useMay()('files_edit');
  const upload = useUpload();
  const download = useDownloadFile();
  const picker = useRef<HTMLInputElement>(null);
  const { list, focusAt } = useRows();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly StoredFile[]>([]);
  const [isOver, setOver] = useState(false);
  const asked = useDeferredValue(search.trim());
  const filter = { ...(asked && { search: asked }), ...(kind && { kind: kind as Kind }), sort: sort as Sort };
  const pages = usePages(['files', 'list', filter], (page) => client.files.list({ page, size: 50, ...filter }));
  const listed = pages.items.find(({ id }) => id === openId);
  const { data: other } = useQuery({
    queryKey: [w, 'files', 'one', openId],
    queryFn: () => client.files.get(openId ?? ''),
    enabled: openId !== undefined && pages.query.isSuccess && !listed,
  });
  const open = listed ?? (other?.id === openId ? other : undefined);
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const chosen = pages.items.filter(({ id }) => picked.has(id));
  const refused = !mayEdit && resourceTexts.needs('files_edit');
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop' && mayEdit) void upload([...event.dataTransfer.files]);
  };
  const uploadButton = (
    <Button
      look="primary"
      icon={<Upload size={15} aria-hidden />}
      refused={refused}
      onClick={() => picker.current?.click()}
    >
      {words.upload}
    </Button>
  );
  return (
    <section
      aria-label={words.list}
      onDragOver={drop}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx('flex min-w-0 flex-1', isOver && 'outline-2 -outline-offset-4 outline-accent outline-dashed')}
    >
      <TabBody>
        <FindBar
          label={words.find}
          value={search}
          onChange={(text) => show({ search: text || undefined })}
          count={pages.query.data && words.count(pages.total)}
          actions={uploadButton}
        >
          <Select
            aria-label={words.kind}
            value={kind ?? ''}
            empty={words.allKinds}
            options={optionsOf(words.kinds)}
            onChange={(value) => show({ kind: value || undefined })}
            className="w-40"
          />
          <Select
            aria-label={words.sort}
            value={sort}
            options={optionsOf(words.sorts)}
            onChange={(value) => show({ sort: value === '-created_at' ? undefined : value })}
            className="w-36"
          />
        </FindBar>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={words.uploadFiles}
          onChange={({ target }) => {
            void upload([...(target.files ?? [])]);
            target.value = '';
          }}
        />
        <UploadList />
        {chosen.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 rounded-3 bg-accent-soft px-3.5 py-2 text-dense">
            <span role="status" className="num font-medium">
              {words.picked(chosen.length)}
            </span>
            <span className="ml-auto flex flex-wrap gap-2">
              <Button
                size="small"
                icon={<Download size={14} aria-hidden />}
                onClick={() => void Promise.all(chosen.map(download))}
              >
                {words.download}
              </Button>
              <Button
                size="small"
                look="danger"
                icon={<Trash2 size={14} aria-hidden />}
                refused={refused}
                onClick={() => setDeleting(chosen)}
              >
                {words.deleteSubmit(chosen.length)}
              </Button>
              <Button size="small" look="ghost" onClick={() => setPicked(new Set())}>
                {words.unpick}
              </Button>
            </span>
          </div>
        )}
        <Listed
          label={words.list}
          pages={pages}
          listRef={list}
          rowOf={(file) => (
            <FileRow
              key={file.id}
              file={file}
              isPicked={picked.has(file.id)}
              onPick={(on) => {
                const next = new Set(picked);
                if (on) next.add(file.id);
                else next.delete(file.id);
                setPicked(next);
              }}
              onOpen={() => show({ file: file.id })}
              onDelete={() => setDeleting([file])}
            />
          )}
          none={{ ...words.none, icon: <FileIcon size={20} aria-hidden /> }}
          first={uploadButton}
          filtered={
            asked || kind
              ? { title: words.noneFound, onClear: () => show({ search: undefined, kind: undefined }) }
              : undefined
          }
        />
      </TabBody>
      <Suspense>
        {open && deleting.length === 0 && (
          <FileView file={open} onClose={() => show({ file: undefined })} onDelete={() => setDeleting([open])} />
        )}
        {deleting.length > 0 && (
          <DeleteFiles
            files={deleting}
            onClose={() => setDeleting([])}
            onGone={() => {
              setPicked(new Set());
              show({ file: undefined });
            }}
            onDeleted={() => focusAt(pages.items.findIndex(({ id }) => id === deleting[0]?.id))}
          />
        )}
      </Suspense>
    </section>
  );
}
