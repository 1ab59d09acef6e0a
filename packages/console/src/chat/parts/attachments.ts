import { create } from 'zustand';

const megabyte = 1024 * 1024;
/** The server's own limits: of an upload, of all files of a message, and of one that is sent inside of the message. */
export const limits = { file: 2048 * megabyte, inline: 25 * megabyte, files: 50 } as const;

export interface Attachment {
  readonly key: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** How much was sent, from 0 to 1. */
  readonly progress: number;
  /** The stored file, once it is there. */
  readonly id?: string;
  /** The bytes, for people who may not store files of their own. */
  readonly b64?: string;
  readonly failure?: string;
}

export const isReady = ({ id, b64 }: Attachment) => id !== undefined || b64 !== undefined;

/** Why a file is not taken; undefined when it is. */
export function refusalOf(
  { size }: { size: number },
  { count, mayStore }: { count: number; mayStore: boolean },
): 'empty' | 'too-large' | 'too-many' | undefined {
  if (size === 0) return 'empty';
  if (size > (mayStore ? limits.file : limits.inline)) return 'too-large';
  return count >= limits.files ? 'too-many' : undefined;
}

/** What goes with the next message of each composer. */
export const useAttachments = create<Record<string, readonly Attachment[]>>(() => ({}));
const none: readonly Attachment[] = [];
export const attachedTo = (place: string) => useAttachments.getState()[place] ?? none;
export const placeOf = (conversationId: string | undefined) => conversationId ?? 'new';

const controls = new Map<number, AbortController>();
let lastKey = 0;

/** Adds a file that is on its way; the signal is aborted when it is taken back. */
export function addAttachment(place: string, { name, type, size }: File): { key: number; signal: AbortSignal } {
  const key = ++lastKey;
  const control = new AbortController();
  controls.set(key, control);
  useAttachments.setState({ [place]: [...attachedTo(place), { key, name, type, size, progress: 0 }] });
  return { key, signal: control.signal };
}

export function changeAttachment(place: string, key: number, change: Partial<Attachment>): void {
  useAttachments.setState({
    [place]: attachedTo(place).map((one) => (one.key === key ? { ...one, ...change } : one)),
  });
}

/** Takes a file back; returns what it was, so that a stored one can be deleted. */
export function removeAttachment(place: string, key: number): Attachment | undefined {
  controls.get(key)?.abort();
  controls.delete(key);
  const removed = attachedTo(place).find((one) => one.key === key);
  useAttachments.setState({ [place]: attachedTo(place).filter((one) => one.key !== key) });
  return removed;
}

/** They went with a message. */
export const clearAttachments = (place: string) => useAttachments.setState({ [place]: none });
