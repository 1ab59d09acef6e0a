import type { CanaryApp } from './canary-app.ts';

/**
 * A way that a secret could take. A new feature adds a row that takes the marked secrets through it: whatever the program
 * answers through `call`, tells a model, logs or stores is looked through afterwards.
 */
export interface CanaryPath {
  path: string;
  /** Whether every secret must have arrived at the target of a tool call. */
  arrives?: true;
  run(canary: CanaryApp): Promise<unknown>;
}
