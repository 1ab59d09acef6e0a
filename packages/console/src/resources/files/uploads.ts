import { create } from 'zustand';

/** A file that is on its way, or came to an end. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly state: 'sending' | 'done' | 'failed';
  readonly fault?: string | undefined;
}

/** Uploads of the workspaces. They go on while other pages are open. */
export const useUploads = create<Record<string, readonly Upload[]>>(() => ({}));
const none: readonly Upload[] = [];
export const uploadsOf = (workspace: string) => useUploads.getState()[workspace] ?? none;

const controls = new Map<number, AbortController>();
let lastKey = 0;

export function beginUpload(workspace: string, name: string): { key: number; signal: AbortSignal } {
  const key = ++lastKey;
  const control = new AbortController();
  controls.set(key, control);
  useUploads.setState({ [workspace]: [...uploadsOf(workspace), { key, name, share: 0, state: 'sending' }] });
  return { key, signal: control.signal };
}

export function changeUpload(workspace: string, key: number, change: Partial<Upload>): void {
  useUploads.setState({
    [workspace]: uploadsOf(workspace).map((upload) => (upload.key === key ? { ...upload, ...change } : upload)),
  });
}

/** Takes an upload off the list; one that is on its way is stopped. */
export function removeUpload(workspace: string, key: number): void {
  controls.get(key)?.abort();
  controls.delete(key);
  useUploads.setState({ [workspace]: uploadsOf(workspace).filter((upload) => upload.key !== key) });
}
