import { followRun, getRun, listRuns, retryRun, stopRun } from '@atrium/contract/runs/run-operations.ts';
import type { AnyRun, RunItem } from '@atrium/contract/workflows/schema.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { RunEndpoints } from './ports.ts';

export const runRoutes = (endpoints: RunEndpoints<AnyRun, RunItem>): Route[] => [
  handle(listRuns, (scope, { query }) => endpoints.list(scope, query)),
  handle(getRun, (scope, { params }) => endpoints.get(scope, params.run_id)),
  handle(followRun, (scope, { params, query, last_event_id }) =>
    endpoints.events(scope, params.run_id, query.format, { ...query, last_event_id }),
  ),
  handle(stopRun, (scope, { params }) => endpoints.stop(scope, params.run_id)),
  handle(retryRun, (scope, { params, body }) => endpoints.retry(scope, params.run_id, body)),
];
