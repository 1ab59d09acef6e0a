import type { Readable } from 'node:stream';
import { AppError } from '@atrium/contract/errors.ts';

/** Credentials expire without a notification, and a notification may be lost. */
const lookAgainAfter = 10_000;

interface Open {
  /** The key or the link that it was opened with. */
  credential_id: string;
  authorize(): Promise<unknown>;
}

/**
 * The streams that are being sent. When keys or links change, on any node, each stream is authorised again and closed
 * if the caller may no longer read it. It is cut off rather than ended, since clients take an end for a complete
 * answer; the next request tells them the reason.
 */
export function makeOpenStreams(onChange: (listener: (credential_id: string) => void) => void) {
  const open = new Map<Readable, Open>();

  async function lookAt(body: Readable, { authorize }: Open): Promise<void> {
    try {
      await authorize();
    } catch (error) {
      // A database that is away for a moment says nothing about the credential.
      if (error instanceof AppError) body.destroy();
    }
  }

  /** All of them, or those of one credential. */
  async function lookAgain(credential_id = ''): Promise<void> {
    for (const [body, one] of [...open])
      if (credential_id === '' || one.credential_id === credential_id) await lookAt(body, one);
  }

  onChange((credential_id) => void lookAgain(credential_id));
  const timer = setInterval(() => void lookAgain(), lookAgainAfter).unref();

  return {
    watch(body: Readable, one: Open): void {
      open.set(body, one);
      body.once('close', () => open.delete(body));
      // It may have changed between the request and now.
      void lookAt(body, one);
    },
    close: () => clearInterval(timer),
  };
}

export type OpenStreams = ReturnType<typeof makeOpenStreams>;
