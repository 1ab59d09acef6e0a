import type { ExecAnswer, ExecRequest } from '@atrium/contract/sandboxes/schema.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';

/** Runs commands in sandboxes. */
export interface SandboxCommands {
  /** Answers a request of a client: with the result, or with a stream of output when the request asks for one. */
  exec(scope: Scope, id: string, request: ExecRequest): Promise<ExecAnswer | RawAnswer>;
  /** Runs a command for another feature and waits for its end. */
  run(scope: Scope, id: string, request: ExecRequest, signal?: AbortSignal): Promise<ExecAnswer>;
}
