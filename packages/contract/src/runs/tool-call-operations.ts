import { z } from 'zod';
import { operation } from '../operation.ts';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { runsRoutes } from './routes.ts';
import { runParams } from './schema.ts';

const outcomes = ['ok', 'error', 'timeout', 'refused', 'rejected', 'invalid'] as const;

const toolCall = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    conversation_id: z.guid(),
    /** Whose conversation it is; null where it has no agent. */
    assistant_id: z.guid().nullable(),
    run_id: z.guid(),
    step: z.int(),
    call_id: z.string(),
    tool: z.string(),
    actor_kind: z.string(),
    actor_id: z.string(),
    /** SHA-256 of the input as JSON: tells whether two calls were the same, not what they said. */
    input_hash: z.string(),
    outcome: z.enum(outcomes),
    approved_by: z.string().nullable(),
    ms: z.int(),
    cost: z.number(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ToolCall' });

const filters = { tool: s.optional(s.str({ max: 500 })), outcome: s.optional(s.oneOf(outcomes)) };

const ofRun = s.query({ ...pageFields, ...filters });

const ofWorkspace = s.query({
  ...pageFields,
  ...filters,
  conversation_id: s.optional(s.uuid('conversation')),
  assistant_id: s.optional(s.uuid('agent')),
});

export const listToolCalls = operation({
  id: 'toolCalls.list',
  route: runsRoutes['toolCalls.list'],
  summary: 'List the tool calls of the workspace, the latest first',
  tag: 'Audit',
  permission: 'audit_read',
  query: ofWorkspace,
  answer: paged(toolCall),
});

export const listRunToolCalls = operation({
  id: 'toolCalls.listOfRun',
  route: runsRoutes['toolCalls.listOfRun'],
  summary: 'List the tool calls of a run, the latest first',
  tag: 'Audit',
  permission: 'audit_read',
  params: runParams,
  query: ofRun,
  answer: paged(toolCall),
});

export const toolCallOperations = [listToolCalls, listRunToolCalls];
