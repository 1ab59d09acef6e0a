import { useClient } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { Uses } from '../common/uses.tsx';
import type { StoredFile } from './files.ts';

const words = resourceTexts.files;
/** Uses are asked for each file, so only of so many. */
const mostUses = 10;

/** Asks before files are deleted, and names what uses each. */
export function DeleteFiles(props: {
  files: readonly StoredFile[];
  onClose: () => void;
  /** They are gone; the list is loaded again after it. */
  onGone: () => void;
  onDeleted: () => void;
}) {
  const { files, onClose, onGone, onDeleted } = props;
  const client = useClient();
  const refresh = useRefresh('files');
  const [first] = files;
  const remove = async () => {
    const results = await Promise.allSettled(files.map(({ id }) => client.files.delete(id)));
    const failed = results.filter(({ status }) => status === 'rejected').length;
    onGone();
    await refresh();
    if (failed > 0) sayToast({ text: words.notDeleted(failed), bad: true });
    if (failed < files.length) sayToast({ text: words.deletedMany(files.length - failed) });
    onDeleted();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={files.length === 1 && first ? words.deleteTitle(first.filename) : words.deleteMany(files.length)}
      help={words.deleteHelp}
      action={words.deleteSubmit(files.length)}
      onConfirm={remove}
    >
      <ul className="flex flex-col gap-4">
        {files.slice(0, mostUses).map((file) => (
          <li key={file.id}>
            {files.length > 1 && <p className="mb-1 truncate text-label font-medium">{file.filename}</p>}
            <Uses queryKey={['files', file.id]} load={() => client.files.listUses(file.id)} />
          </li>
        ))}
        {files.slice(mostUses).map(({ id, filename }) => (
          <li key={id} className="truncate text-dense">
            {filename}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
