import { useClient, useMay } from '../../api/session.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { readAsBase64 } from '../../lib/read-base64.ts';
import { t } from '../../text/en.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import {
  addAttachment,
  attachedTo,
  changeAttachment,
  isReady,
  limits,
  refusalOf,
  removeAttachment,
} from './attachments.ts';

/** Adds files to the next message of a composer, and takes them back. */
export function useAttach(place: string) {
  const client = useClient();
  const may = useMay();
  const mayStore = may('files_edit') && may('files_read');
  const texts = t.chatParts.files;

  async function send(file: File): Promise<void> {
    const { key, signal } = addAttachment(place, file);
    try {
      if (!mayStore) return changeAttachment(place, key, { b64: await readAsBase64(file), progress: 1 });
      const onProgress = ({ loaded, total }: { loaded: number; total: number }) =>
        changeAttachment(place, key, { progress: total ? loaded / total : 0 });
      const { id } = await client.files.upload(file, { signal, onProgress });
      changeAttachment(place, key, { id, progress: 1 });
    } catch (error) {
      if (signal.aborted) return;
      changeAttachment(place, key, { failure: texts.failed(file.name) });
      sayFailure(error);
    }
  }

  const refuse = (file: File): string | undefined => {
    const count = attachedTo(place).length;
    switch (refusalOf(file, { count, mayStore })) {
      case 'empty':
        return texts.empty(file.name);
      case 'too-large':
        return texts.tooLarge(file.name, sayBytes(mayStore ? limits.file : limits.inline));
      case 'too-many':
        return texts.tooMany(limits.files);
    }
    return undefined;
  };

  return {
    add(files: Iterable<File>): void {
      for (const file of files) {
        const refused = refuse(file);
        if (refused) sayToast({ text: refused, bad: true });
        else void send(file);
      }
    },
    remove(key: number): void {
      const removed = removeAttachment(place, key);
      if (removed && isReady(removed) && removed.id) client.files.delete(removed.id).catch(() => {});
    },
  };
}
