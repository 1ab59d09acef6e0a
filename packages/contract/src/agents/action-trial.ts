import * as z from 'zod';
import { operation } from '../operation.ts';
import { noSuch, refused } from '../operation-errors.ts';
import * as s from '../schema/schema.ts';
import { entries } from '../settings/entries.ts';
import { agentsRoutes } from './routes.ts';
import { agentParams } from './schema.ts';

const actionTry = s
  .object({
    action: entries.actions.describe('The action as the settings of the agent would have it; it need not be saved.'),
    arguments: s.optional(s.dict()).describe('The arguments that an agent would call it with; none unless given.'),
  })
  .meta({ id: 'ActionTry' });

const actionTrial = z
  .strictObject({
    success: z.boolean().describe('Whether an answer came, of whatever status.'),
    message: z.string().nullable().describe('Why there is no answer. Null: there is one.'),
    status: z.int().nullable().describe('The HTTP status of the answer. Null: there is none.'),
    content_type: z.string().nullable().describe('The content type of the answer. Null: there is none.'),
    body: z
      .string()
      .nullable()
      .describe('The answer as text, at most 10,000 characters; data is indented JSON. Null: there is none.'),
    truncated: z.boolean().describe('Whether `body` is only the beginning of the answer.'),
    ms: z.int().describe('How long it took, in milliseconds.'),
  })
  .meta({ id: 'ActionTrial' });

export type ActionTry = z.output<typeof actionTry>;
export type ActionTrial = z.output<typeof actionTrial>;

export const tryAction = operation({
  id: 'agents.tryAction',
  route: agentsRoutes['agents.tryAction'],
  summary: 'Send the request of an action once',
  description:
    'Sends the request of an action as the agent would, with these arguments, and answers what came back; nothing is saved. The request has its effect: no approval is asked for. Private addresses are reached only where the operator allows it, and `allowed_hosts` of the agent apply. Variables are those that the draft of the agent lists, or its published settings without a draft; an action that uses one needs `variables_read`, as saving it does. Secrets never are part of the answer. An address that can not be reached is part of the answer, not an error. Each workspace may try 30 times a minute.',
  tag: 'Agents',
  permission: 'agents_edit',
  idempotency: 'none',
  params: agentParams,
  body: actionTry,
  example: {
    action: { name: 'find_order', url: 'https://api.example.com/orders/{{id}}' },
    arguments: { id: '1001' },
  },
  answer: actionTrial,
  errors: [
    noSuch('agent'),
    refused('setting_forbidden', 'The action uses variables, and the caller lacks `variables_read`.'),
    { status: 429, code: 'rate_limited', description: 'The workspace has tried actions too often in this minute.' },
  ],
});

export const actionOperations = [tryAction];
