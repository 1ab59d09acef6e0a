import { keepDraft, readDraft } from '../../lib/local-drafts.ts';

/** An upload in parts that is not finished: with the same file it goes on, also after the page was closed. */
interface BrokenUpload {
  uploadId: string;
  name: string;
  size: number;
  modified: number;
  /** How much had arrived, from 0 to 1. */
  sent: number;
}

const placeOf = (w: string, kbId: string) => `uploads.${w}.${kbId}`;

export function listBroken(w: string, kbId: string): BrokenUpload[] {
  try {
    const kept: unknown = JSON.parse(readDraft(placeOf(w, kbId)) || '[]');
    return Array.isArray(kept) ? (kept as BrokenUpload[]) : [];
  } catch {
    return [];
  }
}

const write = (w: string, kbId: string, uploads: readonly BrokenUpload[]) =>
  keepDraft(placeOf(w, kbId), uploads.length ? JSON.stringify(uploads) : '');

export const findBroken = (w: string, kbId: string, { name, size, lastModified }: File) =>
  listBroken(w, kbId).find((one) => one.name === name && one.size === size && one.modified === lastModified);

export const keepBroken = (w: string, kbId: string, upload: BrokenUpload) =>
  write(w, kbId, [...listBroken(w, kbId).filter(({ uploadId }) => uploadId !== upload.uploadId), upload]);

export const forgetBroken = (w: string, kbId: string, uploadId: string) =>
  write(
    w,
    kbId,
    listBroken(w, kbId).filter((one) => one.uploadId !== uploadId),
  );
