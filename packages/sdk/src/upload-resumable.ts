import type { Upload } from '@atrium/contract/files/upload-operations.ts';
import { AtriumError } from './errors.ts';
import type { Bytes, Progress, RequestOptions } from './options.ts';
import { pause } from './pause.ts';

export interface ResumableOptions {
  /** The name of the file; that of a `File` unless given. */
  name?: string | undefined;
  /** The id of an upload that was broken off, to go on with it. */
  uploadId?: string | undefined;
  /** Called with the id of the upload, to keep for later. */
  onStart?: ((uploadId: string) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Bytes of one request; 4 MiB unless given, 16 MiB at most. */
  partSize?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface UploadCalls {
  create(body: undefined, options: RequestOptions): Promise<Upload>;
  get(id: string, query: undefined, options: RequestOptions): Promise<Upload>;
  append(id: string, part: Bytes, options: RequestOptions): Promise<unknown>;
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const mostFailures = 10;

/** Sends a file in parts by the tus protocol. After a lost connection it goes on where the server has come to. */
export async function uploadResumable(
  uploads: UploadCalls,
  file: Blob,
  { name, uploadId, onStart, onProgress, partSize = 4 * 1024 * 1024, signal }: ResumableOptions,
  firstPause: number | undefined,
): Promise<string> {
  const tus = { 'tus-resumable': '1.0.0' };
  const total = file.size;
  const filename = name ?? (file as File).name ?? 'file';
  const headers = { ...tus, 'upload-length': String(total), 'upload-metadata': `filename ${base64(filename)}` };
  const known = uploadId ? await uploads.get(uploadId, undefined, { signal }) : undefined;
  const { id, received } = known ?? (await uploads.create(undefined, { signal, headers }));
  onStart?.(id);
  let loaded = received;
  for (let failures = 0; loaded < total; ) {
    onProgress?.({ loaded, total });
    try {
      const sent = { ...tus, 'upload-offset': String(loaded), 'content-type': 'application/offset+octet-stream' };
      const part = file.slice(loaded, loaded + partSize);
      await uploads.append(id, part, { signal, headers: sent });
      loaded += part.size;
      failures = 0;
    } catch (error) {
      const isPassing = error instanceof AtriumError && (error.isPassing || error.code === 'offset_mismatch');
      if (!isPassing || ++failures > mostFailures) throw error;
      await pause(failures - 1, firstPause, error.retryAfter, signal);
      loaded = (await uploads.get(id, undefined, { signal })).received;
    }
  }
  onProgress?.({ loaded: total, total });
  return id;
}
