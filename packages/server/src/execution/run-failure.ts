import type { Attempt } from '@atrium/contract/runs/events.ts';

/** Ends a run with an error that the user reads. The message of any other error is not shown. */
export class RunFailure extends Error {
  readonly code: string;
  readonly attempts: readonly Attempt[];

  constructor(code: string, message: string, attempts: readonly Attempt[] = [], cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.attempts = attempts;
  }
}
