import type { Readable } from 'node:stream';
import { AppError } from '@atrium/contract/errors.ts';

/** Credentials expire without a notification, and a notification may be lost. */
const lookAgainAfter = 10_000;

interface OpenStream {
  /** The ids of the key, person or link that it was opened with, and of those who stand behind it. */
  credential_ids: readonly string[];
  authorize(): Promise<unknown>;
}

/**
 * The streams that are being sent. When keys or links change, on any node, each stream is authorised again and closed
 * if the caller may no longer read it. It is cut off rather than ended, since clients take an end for a complete
 * answer; the next request tells them the reason.
 */
export interface OpenStreams {
  watch(body: Readable, stream: OpenStream): void;
  close(): void;
}

export function makeOpenStreams(onChange: (listener: (credential_id: string) => void) => void): OpenStreams {
  const open = new Map<Readable, OpenStream>();

  async function lookAt(body: Readable, { authorize }: OpenStream): Promise<void> {
    try {
      await authorize();
    } catch (error) {
      // Any other error, such as an unreachable database, says nothing about the credential.
      if (error instanceof AppError) body.destroy();
    }
  }

  /** All of them, or those of one credential or owner. */
  async function lookAgain(credential_id = ''): Promise<void> {
    for (const [body, stream] of [...open])
      if (credential_id === '' || stream.credential_ids.includes(credential_id)) await lookAt(body, stream);
  }

  onChange((credential_id) => void lookAgain(credential_id));
  const timer = setInterval(() => void lookAgain(), lookAgainAfter).unref();

  return {
    watch(body, stream) {
      open.set(body, stream);
      body.once('close', () => open.delete(body));
      // The credential may have changed since the request was authorised.
      void lookAt(body, stream);
    },
    close: () => clearInterval(timer),
  };
}
