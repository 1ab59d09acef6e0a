import { operation } from '../operation.ts';
import {
  guardrailCheckBody,
  guardrailVerdicts,
  violationEntryPage,
  violationListQuery,
  violationPage,
  violationParams,
  workspaceViolationQuery,
} from './guardrail-schema.ts';
import { safetyRoutes } from './routes.ts';

const tag = 'Safety';

export const checkSafety = operation({
  id: 'safety.check',
  route: safetyRoutes['safety.check'],
  summary: 'Run guardrails on a text',
  description:
    'Checks one text with the given guardrails, asked the same way as in an agent run, and returns a verdict for each. Categories of content, `jailbreak` and `prompt_injection` are judged by a language model and fail with 409 when none is configured; `context_leak` is a comparison and needs `system`. Nothing is stored, and no violation is counted.',
  tag,
  permission: 'safety_check',
  audit: { none: 'it changes nothing' },
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
  summary: 'List what guardrails flagged in a conversation, latest first',
  description:
    'Returns the violations that guardrails recorded in the runs of a conversation, one entry for each guardrail that flagged a text. The flagged text itself is never stored.',
  tag,
  permission: 'conversations_read',
  params: violationParams,
  query: violationListQuery,
  answer: violationPage,
});

export const listWorkspaceViolations = operation({
  id: 'safety.listAllViolations',
  route: safetyRoutes['safety.listAllViolations'],
  summary: 'List what guardrails flagged in the workspace, latest first',
  description:
    'Returns the violations in all conversations that the caller may read, page by page and one entry for each guardrail that flagged a text. The flagged text itself is never stored.',
  tag,
  permission: 'conversations_read',
  query: workspaceViolationQuery,
  answer: violationEntryPage,
});

export const guardrailOperations = [checkSafety, listViolations, listWorkspaceViolations];
