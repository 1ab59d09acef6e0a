/** Asks for something soon, once for all who ask within a moment. */
export function makeNudge(ask: (key: string) => Promise<void>, after_ms: number) {
  const waiting = new Map<string, NodeJS.Timeout>();
  return {
    nudge(key: string): void {
      if (waiting.has(key)) return;
      const timer = setTimeout(() => {
        waiting.delete(key);
        // Lost, it costs a moment: whoever looks whether a burst is over asks too.
        ask(key).catch(() => {});
      }, after_ms);
      waiting.set(key, timer);
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
