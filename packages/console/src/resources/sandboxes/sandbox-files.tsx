import { CornerLeftUp, Download, File as FileIcon, Folder, FolderUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { saveBytes } from '../../chat/parts/save-bytes.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { useAction } from '../common/use-action.ts';
import { usePages } from '../common/use-pages.ts';
import { lastPart, parentOf } from './paths.ts';
import type { SandboxFile } from './sandboxes.ts';

const words = connectionTexts.terminal;

interface SandboxFilesProps {
  sandboxId: string;
  folder: string;
  onFolder: (folder: string) => void;
}

/** The files in the folder of the terminal. */
export function SandboxFiles({ sandboxId, folder, onFolder }: SandboxFilesProps) {
  const client = useClient();
  const refresh = useRefresh('sandbox-files');
  const picker = useRef<HTMLInputElement>(null);
  const { busy, run } = useAction();
  const [deleting, setDeleting] = useState<SandboxFile>();
  const { query, items, total } = usePages(['sandbox-files', sandboxId, folder], (page) =>
    client.sandboxes.listFiles(sandboxId, { page, size: 100, path: folder }),
  );
  const upload = (files: readonly File[]) =>
    run(async () => {
      for (const file of files) {
        const form = new FormData();
        if (folder) form.set('path', `${folder}/`);
        form.set('file', file, file.name);
        await client.sandboxes.writeFile(sandboxId, form);
        sayToast({ text: words.uploaded(file.name) });
      }
    }).then(refresh);
  const download = (path: string) =>
    run(async () => saveBytes(lastPart(path), await (await client.sandboxes.readFile(sandboxId, { path })).blob()));
  const size = items.reduce((sum, file) => sum + (file.type === 'file' ? file.size : 0), 0);
  return (
    <section aria-label={words.files} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="min-w-0 truncate text-label font-semibold" title={words.folder(folder)}>
          {words.folder(folder)}
        </h2>
        <Button
          size="small"
          className="ml-auto"
          icon={<FolderUp size={14} aria-hidden />}
          busy={busy}
          onClick={() => picker.current?.click()}
        >
          {words.upload}
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={words.upload}
          onChange={({ target }) => {
            void upload([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.isPending && <Loading rows={4} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="text-dense">
          {folder !== '' && (
            <li>
              <button
                type="button"
                onClick={() => onFolder(parentOf(folder))}
                className="flex min-h-9 w-full items-center gap-2 px-4 text-left text-text-2 -outline-offset-2 hover:bg-sunken"
              >
                <CornerLeftUp size={14} aria-hidden />
                {words.up}
              </button>
            </li>
          )}
          {items.map((file) => (
            <FileRow
              key={file.path}
              file={file}
              onOpen={() => (file.type === 'directory' ? onFolder(file.path) : void download(file.path))}
              onDelete={() => setDeleting(file)}
            />
          ))}
        </ul>
        {query.isSuccess && items.length === 0 && (
          <p className="px-4 py-3 text-dense text-text-2">{words.emptyFolder}</p>
        )}
        {query.hasNextPage && (
          <Button className="m-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
      </div>
      {items.length > 0 && (
        <p className="num border-t border-line px-4 py-2 text-caption text-text-3">
          {words.total(total, sayBytes(size))}
        </p>
      )}
      {deleting && (
        <Confirm
          open
          onClose={() => setDeleting(undefined)}
          title={words.deleteTitle(lastPart(deleting.path))}
          help={words.deleteHelp}
          action={t.ui.delete}
          onConfirm={async () => {
            await client.sandboxes.deleteFile(sandboxId, { path: deleting.path });
            sayToast({ text: resourceTexts.deleted(lastPart(deleting.path)) });
            await refresh();
          }}
        />
      )}
    </section>
  );
}

function FileRow({ file, onOpen, onDelete }: { file: SandboxFile; onOpen: () => void; onDelete: () => void }) {
  const name = lastPart(file.path);
  const isFolder = file.type === 'directory';
  return (
    <li className="flex items-center pr-2 hover:bg-sunken">
      <button
        type="button"
        aria-label={isFolder ? words.open(name) : words.download(name)}
        onClick={onOpen}
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 px-4 text-left -outline-offset-2"
      >
        {isFolder ? <Folder size={14} aria-hidden /> : <FileIcon size={14} aria-hidden />}
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {!isFolder && <span className="num text-caption text-text-3">{sayBytes(file.size)}</span>}
        {!isFolder && <Download size={13} aria-hidden className="text-text-3" />}
      </button>
      <IconButton label={words.delete(name)} icon={<Trash2 size={14} />} onClick={onDelete} />
    </li>
  );
}
