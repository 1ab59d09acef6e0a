import { describeFailure } from '../../api/failures.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { useRefresh } from '../common/queries.ts';
import { beginUpload, changeUpload, removeUpload } from './uploads.ts';

/** Larger files are sent in parts, and go on after a lost connection. */
const inParts = 8 * 1024 * 1024;
/** How many files are sent at once. */
const atOnce = 3;

/** Uploads files, a few at a time; each shows how far it is and why it failed. */
export function useUpload() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const refresh = useRefresh('files');

  async function send(file: File, key: number, signal: AbortSignal): Promise<void> {
    const onProgress = ({ loaded, total }: { loaded: number; total: number }) =>
      changeUpload(w, key, { share: total ? loaded / total : 0 });
    try {
      if (file.size === 0) throw new TypeError(resourceTexts.files.empty);
      if (file.size > inParts) await client.files.uploadResumable(file, { signal, onProgress });
      else await client.files.upload(file, { signal, onProgress });
      changeUpload(w, key, { share: 1, state: 'done' });
      setTimeout(() => removeUpload(w, key), 4000);
    } catch (error) {
      if (signal.aborted) return;
      const { title, help } = describeFailure(error);
      changeUpload(w, key, {
        state: 'failed',
        fault: file.size === 0 ? resourceTexts.files.empty : [title, help].filter(Boolean).join('. '),
      });
    }
  }

  return async (files: readonly File[]): Promise<void> => {
    const waiting = files.map((file) => ({ file, ...beginUpload(w, file.name) }));
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        if (!next.signal.aborted) await send(next.file, next.key, next.signal);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await refresh();
  };
}
