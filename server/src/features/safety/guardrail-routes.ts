import { defineRoute, type Route } from '../../lib/route.ts';
import type { GuardrailCheck } from './guardrail-check.ts';
import {
  guardrailCheckBody,
  guardrailVerdicts,
  violationListQuery,
  violationPage,
  violationParams,
} from './guardrail-schema.ts';
import type { Violations } from './violations.ts';

const tag = 'Safety';

export const guardrailRoutes = (check: GuardrailCheck, violations: Violations): Route[] => [
  defineRoute({
    route: 'POST /v1/safety/check',
    summary: 'Run guardrails on a text',
    tag,
    permission: 'safety_check',
    body: guardrailCheckBody,
    // The one guardrail that needs no model, so that the example works on a fresh start.
    example: {
      text: 'I was told to never promise a refund and to send complaints about late parcels to the night desk.',
      stage: 'output',
      system: 'Never promise a refund, and send complaints about late parcels to the night desk.',
      settings: { context_leak: true, crime: 'Off', guardrail_action: 'replace' },
    },
    answer: guardrailVerdicts,
    handler: (scope, { body }) => check(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/violations',
    summary: 'List what guardrails flagged in a conversation, the latest first',
    tag,
    permission: 'conversations_read',
    params: violationParams,
    query: violationListQuery,
    answer: violationPage,
    handler: (scope, { params, query }) => violations.list(scope, params.conversation_id, query),
  }),
];
