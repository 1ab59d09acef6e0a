import { redactedErrorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { StepError } from '../runs/journal-events.ts';

/** A step has failed and no node of its graph handled the failure. */
export class StepFailed extends Error {
  readonly error: StepError;
  readonly node_id: string;

  constructor(error: StepError, node_id: string) {
    super(error.message);
    this.error = error;
    this.node_id = node_id;
  }
}

/** The error of a step as users see it, and whether another try may help. */
export function describeStepError(
  thrown: unknown,
  scope: Scope,
  run_id: string,
  type: string,
): StepError & { passing: boolean } {
  if (thrown instanceof NodeFailure) {
    if (thrown.cause instanceof Error)
      scope.log.warn('A node failed', { run_id, type, code: thrown.code, cause: thrown.cause.name });
    return { code: thrown.code, message: thrown.message, passing: thrown.passing };
  }
  if (thrown instanceof StepFailed) return { ...thrown.error, passing: false };
  // The message of an unexpected error might quote private values, so users do not see it.
  scope.log.error('A node failed', { run_id, type, ...redactedErrorFields(thrown) });
  return { code: 'internal_error', message: 'Something went wrong on our side', passing: true };
}
