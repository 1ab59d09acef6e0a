import { checkSafety, listViolations, listWorkspaceViolations } from '@atrium/contract/safety/guardrail-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { GuardrailCheck } from './guardrail-check.ts';
import type { Violations } from './violations.ts';

export const guardrailRoutes = (check: GuardrailCheck, violations: Violations): Route[] => [
  handle(checkSafety, (scope, { body }) => check(scope, body)),
  handle(listViolations, (scope, { params, query }) => violations.list(scope, params.conversation_id, query)),
  handle(listWorkspaceViolations, (scope, { query }) => violations.listAll(scope, query)),
];
