import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt, groupId } from '../fields.ts';
import { timedList } from '../list-query.ts';
import { operation } from '../operation.ts';
import { facetsField, paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { runsRoutes } from './routes.ts';
import { runParams } from './schema.ts';

const outcomes = ['ok', 'error', 'timeout', 'refused', 'rejected', 'invalid'] as const;

const toolCall = z
  .strictObject({
    id: z.guid().describe('The id of the entry.'),
    group_id: groupId,
    conversation_id: z.guid().describe('The conversation of the run.'),
    assistant_id: z.guid().nullable().describe('The agent of the conversation. Null: it has none.'),
    run_id: z.guid().describe('The run that made the call.'),
    step: z.int().describe('The step of the run, counted from 1.'),
    call_id: z.string().describe('The id that the model gave the call.'),
    tool: z.string().describe('The name of the tool, as the model called it.'),
    actor_kind: z.string().describe('The kind of actor that the run acts for, such as `api_key`.'),
    actor_id: z.string().describe('The actor that the run acts for.'),
    actor: actorField('Who the run acts for.'),
    input_hash: z
      .string()
      .describe('SHA-256 of the input as JSON: shows whether two calls were the same, not what they contained.'),
    outcome: z
      .enum(outcomes)
      .describe(
        'How the call ended. `refused`: the actor lacks the permission. `rejected`: a person rejected it, or did not approve it in time. `invalid`: there is no such tool, or the input did not fit.',
      ),
    approved_by: z
      .string()
      .nullable()
      .describe('The actor that approved the call. Null: no approval was needed or given.'),
    approved_by_actor: actorField('Who approved the call.'),
    approval_id: z
      .guid()
      .nullable()
      .describe('The approval of the call, or the earlier one that covers it. Null: no approval was needed or given.'),
    ms: z.int().describe('How long the call took, in milliseconds.'),
    cost: z.number().describe('What the call cost, in US dollars.'),
    created_at: createdAt,
  })
  .meta({ id: 'ToolCall' });

const toolCallPage = paged(
  toolCall,
  summaryOf(toolCall, ['id', 'conversation_id', 'run_id', 'step', 'tool', 'outcome', 'ms', 'cost', 'created_at']),
);

const filters = {
  tool: s.optional(s.str({ max: 500 })).describe('Only calls of the tool with this name.'),
  outcome: s.optional(s.oneOf(outcomes)).describe('Only calls that ended like this.'),
  facets: facetsField(),
};

const ofRun = s.query({ ...timedList(), ...filters });

const ofWorkspace = s.query({
  ...timedList(),
  ...filters,
  conversation_id: s.optional(s.uuid('conversation')).describe('Only calls in this conversation.'),
  assistant_id: s.optional(s.uuid('agent')).describe('Only calls in conversations with this agent.'),
});

export const listToolCalls = operation({
  id: 'toolCalls.list',
  route: runsRoutes['toolCalls.list'],
  summary: 'List the tool calls of the workspace, the latest first',
  description:
    'Returns one entry per tool call of an agent: who it acted for, who approved it, how it ended, how long it took and what it cost. Inputs are kept as hashes only. Use it for audits across the workspace.',
  tag: 'Audit',
  permission: 'audit_read',
  query: ofWorkspace,
  answer: toolCallPage,
});

export const listRunToolCalls = operation({
  id: 'toolCalls.listOfRun',
  route: runsRoutes['toolCalls.listOfRun'],
  summary: 'List the tool calls of a run, the latest first',
  description: 'Returns the entries of `toolCalls.list` for one run of a conversation.',
  tag: 'Audit',
  permission: 'audit_read',
  params: runParams,
  query: ofRun,
  answer: toolCallPage,
});

export const toolCallOperations = [listToolCalls, listRunToolCalls];
