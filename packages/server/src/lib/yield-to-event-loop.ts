/** How long work may block the event loop without a noticeable delay, in milliseconds. */
const stretch_ms = 8;

/**
 * Lets others have their turn every few milliseconds. Long work on a text calls it often; most calls cost a look at the
 * clock and nothing else.
 */
export function makeYieldToEventLoop() {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < stretch_ms) return;
    await new Promise(setImmediate);
    since = performance.now();
  };
}
