type Step = () => Promise<unknown> | unknown;

export interface Shutdown {
  /** Adds a step; the last one added is the first one done. */
  add(step: Step): void;
  /** What is done before the steps when the process is asked politely and can wait. */
  onDrain(step: Step): void;
  /** Does all steps once. */
  close(): Promise<void>;
  /** Ends the process. `politely`: it drains first, unless it was asked to end before. */
  end(politely: boolean): void;
}

const graceMs = 30_000;

/** The end of this process: what has to be closed, in which order, and the signals that ask for it. */
export function makeShutdown(drain_seconds: number, fail: (error: unknown) => void): Shutdown {
  const steps: Step[] = [];
  let drain: Step | undefined;
  let closed: Promise<void> | undefined;

  const close = () => {
    closed ??= (async () => {
      for (const step of steps.splice(0).reverse()) await step();
    })();
    return closed;
  };

  const end = (politely: boolean) => {
    // A shutdown that hangs must not keep the process alive: committed data is safe.
    setTimeout(() => process.exit(1), graceMs + drain_seconds * 1000).unref();
    // A second signal, or one from a keyboard, does not wait.
    const drained = politely ? drain?.() : undefined;
    drain = undefined;
    Promise.resolve(drained)
      .then(close)
      .then(() => process.exit(0), fail);
  };
  const onSignal = (signal: NodeJS.Signals) => end(signal === 'SIGTERM');
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);

  return {
    add: (step) => void steps.push(step),
    onDrain(step) {
      if (drain_seconds > 0) drain = step;
    },
    close,
    end,
  };
}
