import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import {
  unlockDecision,
  unlockRequest,
  unlockRequestCreate,
  unlockRequestPage,
  unlockRequestParams,
  unlockRequestQuery,
} from './lock-schema.ts';
import { agentsRoutes } from './routes.ts';
import { agentParams } from './schema.ts';

const tag = 'Agents';
const notLocked = conflicts('not_locked', 'The lock is off.');

export const listUnlockRequests = operation({
  id: 'unlockRequests.list',
  route: agentsRoutes['unlockRequests.list'],
  summary: 'List the requests to unlock an agent, latest first',
  description:
    'Returns who has asked to turn off locks of the agent, and what was decided. Reasons and notes are shown to the one who asked and to those who may decide (`org:admin`).',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  query: unlockRequestQuery,
  answer: unlockRequestPage,
});

export const createUnlockRequest = operation({
  id: 'unlockRequests.create',
  route: agentsRoutes['unlockRequests.create'],
  summary: 'Ask to turn off a lock of an agent',
  description:
    'Asks the administrators of the organization to turn off a lock. The request is in their inbox (`GET /v1/approvals`) and in that of the one who asks, with the answer.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  body: unlockRequestCreate,
  example: { lock: 'prompt_lock', reason: 'The new return policy has to go into the prompt.' },
  answer: unlockRequest,
  errors: [noSuch('agent'), notLocked, conflicts('already_asked', 'The caller has a request that is not answered.')],
});

export const decideUnlockRequest = operation({
  id: 'unlockRequests.decide',
  route: agentsRoutes['unlockRequests.decide'],
  summary: 'Turn off a lock that was asked about, or refuse',
  description:
    'With `unlock` the lock is turned off in the published settings, as a new version, and in the draft; nothing else changes. With `refuse` it stays on. Both are shown to the one who asked, with the note.',
  tag,
  permission: 'org:admin',
  params: unlockRequestParams,
  body: unlockDecision,
  example: { decision: 'refuse', note: 'Legal has to see it first.' },
  answer: unlockRequest,
  errors: [noSuch('request'), conflicts('already_decided', 'The request was answered, or the lock is off.')],
});

export const unlockRequestOperations = [listUnlockRequests, createUnlockRequest, decideUnlockRequest];
