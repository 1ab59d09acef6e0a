import { AtriumError, errorOf } from './errors.ts';
import type { ClientOptions, Fetch, RequestOptions } from './options.ts';
import { pause } from './pause.ts';

/** The longest that a request waits because of `Retry-After`, in seconds. */
const mostSeconds = 60;

export interface Prepared {
  method: string;
  url: string;
  body?: unknown;
  /** Whether it may be repeated when its answer was lost. */
  isRepeatable: boolean;
  idempotencyKey?: string | undefined;
  fetch?: Fetch | undefined;
}

/** 128 random bits; `crypto.randomUUID` is missing in pages without TLS. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const isJson = (body: unknown): boolean =>
  body !== undefined &&
  typeof body !== 'string' &&
  !(body instanceof FormData || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body));

/** Sends requests with the headers of the client, and repeats those that may succeed later. */
export function makeSender(client: ClientOptions) {
  let asked: Promise<boolean> | undefined;

  /** Asks the page to sign the person in, once for all requests that failed meanwhile. */
  function signIn(error: AtriumError): Promise<boolean> {
    asked ??= Promise.resolve(client.onUnauthorized?.(error) ?? false).finally(() => {
      asked = undefined;
    });
    return asked;
  }

  function headersOf({ body, idempotencyKey }: Prepared, options: RequestOptions): Record<string, string> {
    const { ifMatch } = options;
    return {
      accept: 'application/json',
      ...(isJson(body) && { 'content-type': 'application/json' }),
      ...(client.apiKey && { 'x-api-key': client.apiKey }),
      ...(client.workspaceId && { 'x-workspace-id': client.workspaceId }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch && { 'if-match': /^(\*$|W?\/?")/.test(ifMatch) ? ifMatch : `"${ifMatch}"` }),
      ...client.headers,
      ...options.headers,
    };
  }

  /** One attempt. `read` is part of it, so that an answer that breaks off is asked for again. */
  async function attempt<T>(
    request: Prepared,
    options: RequestOptions,
    read: (response: Response) => T,
  ): Promise<Awaited<T>> {
    const { method, url, body } = request;
    const { signal, timeout = client.timeout ?? 130_000 } = options;
    const control = new AbortController();
    const abort = () => control.abort(signal?.reason);
    const timer = setTimeout(() => control.abort(), timeout);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    // An answer that is handed on unread is aborted with the signal of the caller.
    let isHandedOn = false;
    try {
      const response = await (request.fetch ?? client.fetch ?? fetch)(url, {
        method,
        headers: headersOf(request, options),
        credentials: client.apiKey ? 'omit' : 'same-origin',
        signal: control.signal,
        ...(body !== undefined && { body: (isJson(body) ? JSON.stringify(body) : body) as string }),
      });
      options.onResponse?.(response);
      if (!response.ok) throw await errorOf(response);
      const value = await read(response);
      isHandedOn = (value as unknown) === response || (value as unknown) === response.body;
      return value;
    } catch (cause) {
      if (cause instanceof AtriumError) throw cause;
      signal?.throwIfAborted();
      const [code, detail] = control.signal.aborted
        ? ['timeout', `There was no answer within ${timeout} ms`]
        : ['network', 'The server could not be reached'];
      throw new AtriumError(0, { code, detail }, undefined, cause);
    } finally {
      clearTimeout(timer);
      if (!isHandedOn) signal?.removeEventListener('abort', abort);
    }
  }

  return async function send<T>(
    request: Prepared,
    options: RequestOptions,
    read: (response: Response) => T,
  ): Promise<Awaited<T>> {
    const { maxRetries = client.maxRetries ?? 4, signal } = options;
    let hasAsked = false;
    for (let count = 0; ; count++) {
      try {
        return await attempt(request, options, read);
      } catch (error) {
        if (!(error instanceof AtriumError)) throw error;
        if (error.status === 401 && !hasAsked && (await signIn(error))) {
          hasAsked = true;
          continue;
        }
        // 429 is answered before anything is done.
        const mayRepeat = error.isPassing && (error.status === 429 || request.isRepeatable);
        if (!mayRepeat || count >= maxRetries || (error.retryAfter ?? 0) > mostSeconds) throw error;
        await pause(count, client.retryPause, error.retryAfter, signal);
      }
    }
  };
}
