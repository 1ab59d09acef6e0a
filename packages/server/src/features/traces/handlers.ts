import { getRunTrace, retryModelCall } from '@atrium/contract/traces/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { RetryModelCall, Traces } from './ports.ts';

export const traceRoutes = (traces: Pick<Traces, 'get'>, retry: RetryModelCall): Route[] => [
  handle(getRunTrace, (scope, { params, query }) => traces.get(scope, params.run_id, query)),
  handle(retryModelCall, (scope, { params, body }) => retry(scope, params.run_id, params.step_id, body)),
];
