import { getRunTrace } from '@atrium/contract/traces/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Traces } from './ports.ts';

export const traceRoutes = (traces: Traces): Route[] => [
  handle(getRunTrace, (scope, { params }) => traces(scope.workspace_id, params.run_id)),
];
