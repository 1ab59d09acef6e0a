/** What has been opened so far. */
export interface Closing {
  /** Adds a step that comes before those that are there. */
  push(step: () => unknown): void;
  /** Takes every step, the last one first; none is taken twice. */
  closeAll(): Promise<void>;
}

export function closeInOrder(): Closing {
  const steps: (() => unknown)[] = [];
  return {
    push(step) {
      steps.push(step);
    },
    async closeAll() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
