import { redactedErrorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { StepError } from '../runs/journal-events.ts';

/** A step has failed and nothing in its graph dealt with it. */
export class StepFailed extends Error {
  readonly error: StepError;
  readonly node_id: string;

  constructor(error: StepError, node_id: string) {
    super(error.message);
    this.error = error;
    this.node_id = node_id;
  }
}

/** What is told of something that a node threw, and whether another try may help. */
export function told(thrown: unknown, scope: Scope, run_id: string, type: string): StepError & { passing: boolean } {
  if (thrown instanceof NodeFailure) {
    if (thrown.cause instanceof Error)
      scope.log.warn('A node failed', { run_id, type, code: thrown.code, cause: thrown.cause.name });
    return { code: thrown.code, message: thrown.message, passing: thrown.passing };
  }
  if (thrown instanceof StepFailed) return { ...thrown.error, passing: false };
  // Its own words might quote what was said.
  scope.log.error('A node failed', { run_id, type, ...redactedErrorFields(thrown) });
  return { code: 'internal_error', message: 'Something went wrong on our side', passing: true };
}
