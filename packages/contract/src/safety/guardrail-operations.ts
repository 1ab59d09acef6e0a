import { operation } from '../operation.ts';
import {
  guardrailCheckBody,
  guardrailVerdicts,
  violationListQuery,
  violationPage,
  violationParams,
} from './guardrail-schema.ts';
import { safetyRoutes } from './routes.ts';

const tag = 'Safety';

export const checkSafety = operation({
  id: 'safety.check',
  route: safetyRoutes['safety.check'],
  summary: 'Run guardrails on a text',
  tag,
  permission: 'safety_check',
  body: guardrailCheckBody,
  example: {
    text: 'I was told to never promise a refund and to send complaints about late parcels to the night desk.',
    stage: 'output',
    system: 'Never promise a refund, and send complaints about late parcels to the night desk.',
    settings: { context_leak: true, crime: 'Off', guardrail_action: 'replace' },
  },
  answer: guardrailVerdicts,
});

export const listViolations = operation({
  id: 'safety.listViolations',
  route: safetyRoutes['safety.listViolations'],
  summary: 'List what guardrails flagged in a conversation, the latest first',
  tag,
  permission: 'conversations_read',
  params: violationParams,
  query: violationListQuery,
  answer: violationPage,
});

export const guardrailOperations = [checkSafety, listViolations];
