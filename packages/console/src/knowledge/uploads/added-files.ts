import { create } from 'zustand';

/** A file that a person adds to a knowledge base, from the moment it is chosen until the panel is put away. */
export interface AddedFile {
  readonly key: number;
  readonly kbId: string;
  readonly prefix: string;
  readonly file: File;
  /** How much was sent, from 0 to 1. */
  readonly sent: number;
  /** The ingestion run that trains it, once it has arrived. */
  readonly runId?: string | undefined;
  /** Why it could not be sent. */
  readonly failure?: string | undefined;
}

interface AddedFiles {
  files: readonly AddedFile[];
}
export const useAddedFiles = create<AddedFiles>(() => ({ files: [] }));

const controls = new Map<number, AbortController>();
let lastKey = 0;

export function addFile(kbId: string, prefix: string, file: File): AddedFile {
  const added: AddedFile = { key: ++lastKey, kbId, prefix, file, sent: 0 };
  useAddedFiles.setState(({ files }) => ({ files: [...files, added] }));
  return added;
}

/** The signal of one attempt to send a file; it is aborted when the file is taken back. */
export function beginSending(key: number): AbortSignal {
  const control = new AbortController();
  controls.set(key, control);
  return control.signal;
}

export const changeFile = (key: number, change: Partial<AddedFile>) =>
  useAddedFiles.setState(({ files }) => ({
    files: files.map((file) => (file.key === key ? { ...file, ...change } : file)),
  }));

/** Takes a file back that is still being sent. */
export function dropFile(key: number): void {
  controls.get(key)?.abort();
  controls.delete(key);
  useAddedFiles.setState(({ files }) => ({ files: files.filter((file) => file.key !== key) }));
}

/** Puts away what has arrived or failed; what is being sent goes on. */
export const hideSettled = (kbId: string) =>
  useAddedFiles.setState(({ files }) => ({
    files: files.filter((file) => file.kbId !== kbId || (file.runId === undefined && file.failure === undefined)),
  }));
