import { getPublishGate, removePublishGate, setPublishGate } from '@atrium/contract/evaluations/gate-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { PublishGates } from './publish-gate.ts';

export const publishGateRoutes = (gates: PublishGates): Route[] => [
  handle(getPublishGate, (scope, { params }) => gates.get(scope, params.agent_id)),
  handle(setPublishGate, (scope, { params, body }) => gates.set(scope, params.agent_id, body)),
  handle(removePublishGate, async (scope, { params }) => {
    await gates.remove(scope, params.agent_id);
    return done;
  }),
];
