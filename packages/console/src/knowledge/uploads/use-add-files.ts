import { AtriumError } from '@atrium/sdk';
import { describeFailure } from '../../api/failures.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { sayToast } from '../../ui/toast.tsx';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { type AddedFile, addFile, beginSending, changeFile } from './added-files.ts';
import { findBroken, forgetBroken, keepBroken } from './broken-uploads.ts';

const megabyte = 1024 * 1024;
/** The server's limit of a file. */
const largest = 2048 * megabyte;
/** From this size on a file is sent in parts, so that a lost connection costs one part and not the whole. */
const inParts = 8 * megabyte;
/** So many files are sent at the same time. */
const atOnce = 3;
const words = documentTexts.add;

/** Adds files to a knowledge base: each is sent, then trained. */
export function useAddFiles(kbId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const mayStore = useMay()('files_edit');
  const refresh = useRefreshBase();

  async function sendInParts({ key, file, prefix }: AddedFile, signal: AbortSignal): Promise<string[]> {
    const known = findBroken(w, kbId, file);
    const about = { name: file.name, size: file.size, modified: file.lastModified };
    let uploadId = known?.uploadId;
    const send = (from: string | undefined) =>
      client.files.uploadResumable(file, {
        uploadId: from,
        signal,
        onStart: (id) => {
          uploadId = id;
          keepBroken(w, kbId, { ...about, uploadId: id, sent: known?.sent ?? 0 });
        },
        onProgress: ({ loaded, total }) => {
          changeFile(key, { sent: loaded / total });
          if (uploadId) keepBroken(w, kbId, { ...about, uploadId, sent: loaded / total });
        },
      });
    // An upload that is not finished within a day is gone: the file is sent from its beginning then.
    const stored = await send(known?.uploadId).catch((error: unknown) => {
      if (!known || !(error instanceof AtriumError) || error.status !== 404) throw error;
      forgetBroken(w, kbId, known.uploadId);
      return send(undefined);
    });
    if (uploadId) forgetBroken(w, kbId, uploadId);
    const files = [{ name: file.name, uri: `store://${stored.id}` }];
    const source = { source_type: 'document', config: { files } } as const;
    return client.documents.ingest(kbId, { source }, { query: { prefix }, signal });
  }

  async function send(added: AddedFile): Promise<void> {
    const { key, file, prefix } = added;
    const signal = beginSending(key);
    changeFile(key, { failure: undefined, sent: 0 });
    try {
      const onProgress = ({ loaded, total }: { loaded: number; total: number }) =>
        changeFile(key, { sent: total ? loaded / total : 0 });
      const [runId] =
        mayStore && file.size >= inParts
          ? await sendInParts(added, signal)
          : await client.documents.upload(kbId, file, { query: { prefix }, signal, onProgress });
      changeFile(key, { runId, sent: 1 });
    } catch (error) {
      if (signal.aborted) return;
      const { title, help } = describeFailure(error);
      changeFile(key, { failure: [title, help].filter(Boolean).join('. ') });
    }
    await refresh();
  }

  /** Several at once, the others when one has ended. */
  async function sendAll(waiting: AddedFile[]): Promise<void> {
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  return {
    send,
    add(files: Iterable<File>, prefix: string): void {
      const taken: AddedFile[] = [];
      for (const file of files) {
        if (file.size === 0) sayToast({ text: words.empty(file.name), bad: true });
        else if (file.size > largest) sayToast({ text: words.tooLarge(file.name), bad: true });
        else taken.push(addFile(kbId, prefix, file));
      }
      void sendAll(taken);
    },
  };
}
