import type { Fetch, Progress } from './options.ts';

/** The part of XMLHttpRequest that is used: only it tells in browsers how much of a body was sent. */
interface Xhr {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: unknown): void;
  abort(): void;
  getResponseHeader(name: string): string | null;
  upload: { onprogress: (event: Progress) => void };
  onload: () => void;
  onerror: () => void;
  onabort: () => void;
  status: number;
  response: ArrayBuffer;
  responseType: string;
}

type OnProgress = (progress: Progress) => void;

const sendByXhr =
  (Xhr: new () => Xhr, onProgress: OnProgress): Fetch =>
  (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const xhr = new Xhr();
      xhr.open(method, url);
      for (const [name, value] of Object.entries(headers as Record<string, string>)) xhr.setRequestHeader(name, value);
      xhr.responseType = 'arraybuffer';
      xhr.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
      xhr.onload = () => {
        const received = ['x-request-id', 'retry-after'].map((name) => [name, xhr.getResponseHeader(name) ?? '']);
        resolve(new Response(xhr.response, { status: xhr.status, headers: received as [string, string][] }));
      };
      xhr.onerror = () => reject(new TypeError('Upload failed'));
      xhr.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => xhr.abort());
      xhr.send(body);
    });

/** Elsewhere the body is counted as it is read. */
const sendCounted =
  (fetch: Fetch, onProgress: OnProgress): Fetch =>
  (url, init) => {
    const form = init.body as FormData;
    const total = [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? 0 : value.size), 0);
    const packed = new Response(form);
    let loaded = 0;
    const body = packed.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, control) {
          loaded += chunk.length;
          onProgress({ loaded: Math.min(loaded, total), total });
          control.enqueue(chunk);
        },
      }),
    );
    const headers = { ...(init.headers as object), 'content-type': packed.headers.get('content-type') ?? '' };
    return fetch(url, { ...init, headers, body, duplex: 'half' } as RequestInit);
  };

/** Sends a form and tells how much of it has been sent. */
export function withProgress(fetch: Fetch, onProgress: OnProgress): Fetch {
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };
  return XMLHttpRequest ? sendByXhr(XMLHttpRequest, onProgress) : sendCounted(fetch, onProgress);
}

/** Files as the form that an operation takes. */
export function formOf(field: string, files: Blob | readonly Blob[] | FormData): FormData {
  if (files instanceof FormData) return files;
  const form = new FormData();
  for (const file of [files].flat() as Blob[]) form.append(field, file, (file as File).name ?? 'file');
  return form;
}
