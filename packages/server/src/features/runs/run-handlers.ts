import type { Paged } from '@atrium/contract/page.ts';
import { followRun, getRun, listRuns, retryRun, stopRun } from '@atrium/contract/runs/run-operations.ts';
import type { RunListQuery, StreamFormat } from '@atrium/contract/runs/schema.ts';
import type { AnyRun } from '@atrium/contract/workflows/schema.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ResumePoint } from './dialects/run-streams.ts';

/** What can be done with runs, of whichever kind. */
export interface RunEndpoints<R> {
  list(scope: Scope, query: RunListQuery): Promise<Paged<R>>;
  get(scope: Scope, run_id: string): Promise<R>;
  events(scope: Scope, run_id: string, format: StreamFormat, point: ResumePoint): Promise<RawAnswer>;
  stop(scope: Scope, run_id: string): Promise<R>;
  retry(scope: Scope, run_id: string): Promise<R>;
}

export const runRoutes = (door: RunEndpoints<AnyRun>): Route[] => [
  handle(listRuns, (scope, { query }) => door.list(scope, query)),
  handle(getRun, (scope, { params }) => door.get(scope, params.run_id)),
  handle(followRun, (scope, { params, query, last_event_id }) =>
    door.events(scope, params.run_id, query.format, { ...query, last_event_id }),
  ),
  handle(stopRun, (scope, { params }) => door.stop(scope, params.run_id)),
  handle(retryRun, (scope, { params }) => door.retry(scope, params.run_id)),
];
