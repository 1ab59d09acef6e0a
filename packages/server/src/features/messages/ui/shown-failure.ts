import type { Display } from '../ports.ts';

/** Why a run failed, as users see it. The code says as much of models and limits as the reason, so they are hidden together. */
export const shownFailure = <F extends { code: string; message: string }>(
  failure: F,
  { failure_text }: Display,
): F | { code: string; message: string } =>
  failure_text === null ? failure : { code: 'run_failed', message: failure_text };
