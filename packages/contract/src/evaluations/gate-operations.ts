import { agentParams } from '../agents/schema.ts';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { publishGate, publishGateBody } from './gate-schema.ts';
import { evaluationsRoutes } from './routes.ts';

const tag = 'Evaluations';

export const getPublishGate = operation({
  id: 'publishGates.get',
  route: evaluationsRoutes['publishGates.get'],
  summary: 'Get the evaluation that versions of an agent must pass',
  description: 'Returns the gate before publishing; `gate` is null when versions are published without one.',
  tag,
  permission: 'agents_run',
  params: agentParams,
  versioned: true,
  answer: publishGate,
});

export const setPublishGate = operation({
  id: 'publishGates.set',
  route: evaluationsRoutes['publishGates.set'],
  summary: 'Let versions of an agent be published only after an evaluation has passed',
  description:
    'Every publication of new settings then needs a completed run of the evaluation with just these settings and its present cases, of which the given share has passed. Without one, the request to publish starts the run and is answered with 409 `evaluation_running`; a run that was not good enough is answered with 409 `evaluation_failed` and the cases that failed.',
  tag,
  permission: 'workspace_admin',
  params: agentParams,
  body: publishGateBody,
  example: { evaluation_id: '00000000-0000-7000-8000-000000000000', threshold: 0.9 },
  versioned: true,
  answer: publishGate,
});

export const removePublishGate = operation({
  id: 'publishGates.remove',
  route: evaluationsRoutes['publishGates.remove'],
  summary: 'Let versions of an agent be published without an evaluation',
  description: 'Removes the gate. The evaluation and its runs stay.',
  tag,
  permission: 'workspace_admin',
  params: agentParams,
  answer: success,
});

export const publishGateOperations = [getPublishGate, setPublishGate, removePublishGate];
