const longest = 15_000;

/** Waits before attempt number `attempt`, counted from 0. Ends at once when the browser is online again. */
export function pause(attempt: number, first = 500, seconds = 0, signal?: AbortSignal): Promise<void> {
  // Clients that were cut off together do not come back together.
  const grown = Math.min(first * 2 ** attempt, longest) * (0.75 + Math.random() / 4);
  const events = globalThis as unknown as Partial<EventTarget>;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      events.removeEventListener?.('online', end);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, Math.max(grown, seconds * 1000));
    events.addEventListener?.('online', end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
