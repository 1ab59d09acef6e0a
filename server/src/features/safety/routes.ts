import { defineRoute, type Route } from '../../lib/route.ts';
import { piiAnswer, piiRequest } from './schema.ts';
import type { SafetyChecks } from './service.ts';

const tag = 'Safety';

export const safetyRoutes = (checks: SafetyChecks): Route[] => [
  defineRoute({
    route: 'POST /v1/safety/pii',
    summary: 'Find personal data in a text, and show what the text is without it',
    tag,
    permission: 'safety_check',
    body: piiRequest,
    example: { text: 'Ask Emma Johnson, emma@example.com', entities: ['PERSON', 'EMAIL_ADDRESS'] },
    answer: piiAnswer,
    handler: (_scope, { body }) => checks.pii(body),
  }),
];
