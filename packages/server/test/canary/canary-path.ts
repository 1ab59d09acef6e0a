import type { CanaryApp } from './canary-app.ts';

/**
 * A path by which a secret could leak. A new feature adds a row that takes the marked secrets through it. Afterwards
 * the test searches responses of `call`, model requests, logs and stored rows for the marks.
 */
export interface CanaryPath {
  path: string;
  /** Whether every secret must have arrived at the target of a tool call. */
  arrives?: true;
  run(canary: CanaryApp): Promise<unknown>;
}
