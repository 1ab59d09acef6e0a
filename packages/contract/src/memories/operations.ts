import { conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { memoryRoutes } from './routes.ts';
import { memory, memoryListQuery, memoryWrite } from './schema.ts';

const memoryPage = paged(
  memory,
  summaryOf(memory, ['id', 'subject', 'subject_id', 'text', 'created_at', 'updated_at']),
);
const eraseQuery = s.query({
  subject_id: s
    .optional(s.str({ max: 100 }))
    .describe('Delete only memories about the user or link with this id; all unless given.'),
});
const example = { text: 'Prefers answers in Norwegian' };

const agentParams = s.object({ agent_id: s.uuid('agent').describe('The id of the agent.') });
const agentMemoryParams = agentParams.extend({ memory_id: s.uuid('agent_memory').describe('The id of the memory.') });

export const listAgentMemories = operation({
  id: 'agentMemories.list',
  route: memoryRoutes['agentMemories.list'],
  summary: 'List the memories of an agent, newest first',
  description:
    'Returns what the agent remembers across its conversations, about everyone and about single users, page by page. Use it to review what an agent has stored. Callers without `conversations_read` get placeholders for the personal data that the agent hides.',
  tag: 'Agents',
  permission: 'agents_run',
  params: agentParams,
  query: memoryListQuery,
  answer: memoryPage,
});

export const deleteAgentMemories = operation({
  id: 'agentMemories.deleteAll',
  route: memoryRoutes['agentMemories.deleteAll'],
  summary: 'Delete the memories of an agent',
  description:
    "Deletes all memories of the agent, or with `subject_id` those about one subject; this can't be undone. Memories of its conversations stay.",
  tag: 'Agents',
  permission: 'agents_edit',
  params: agentParams,
  query: eraseQuery,
  answer: success,
});

export const getAgentMemory = operation({
  id: 'agentMemories.get',
  route: memoryRoutes['agentMemories.get'],
  summary: 'Get a memory of an agent',
  description: 'Returns one memory of the agent, with the run and the actor that it comes from.',
  tag: 'Agents',
  permission: 'agents_run',
  params: agentMemoryParams,
  answer: memory,
});

export const updateAgentMemory = operation({
  id: 'agentMemories.update',
  route: memoryRoutes['agentMemories.update'],
  summary: 'Update a memory of an agent',
  description:
    'Replaces the text of a memory. Secrets are left out as from a text that the agent writes; afterwards it counts as written by the caller and as trusted. A text with placeholders that is sent back as it was read changes nothing.',
  tag: 'Agents',
  permission: 'agents_edit',
  params: agentMemoryParams,
  body: memoryWrite,
  example,
  answer: memory,
});

export const deleteAgentMemory = operation({
  id: 'agentMemories.delete',
  route: memoryRoutes['agentMemories.delete'],
  summary: 'Delete a memory of an agent',
  description: "Deletes one memory of the agent; this can't be undone.",
  tag: 'Agents',
  permission: 'agents_edit',
  params: agentMemoryParams,
  answer: success,
});

const conversationMemoryParams = conversationParams.extend({
  memory_id: s.uuid('conversation_memory').describe('The id of the memory.'),
});

export const listConversationMemories = operation({
  id: 'conversationMemories.list',
  route: memoryRoutes['conversationMemories.list'],
  summary: 'List the memories of a conversation, newest first',
  description:
    'Returns what the agent remembers in this one conversation, page by page. Memories that it has across conversations are listed at the agent.',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: memoryListQuery,
  answer: memoryPage,
});

export const deleteConversationMemories = operation({
  id: 'conversationMemories.deleteAll',
  route: memoryRoutes['conversationMemories.deleteAll'],
  summary: 'Delete the memories of a conversation',
  description:
    "Deletes all memories of the conversation, or with `subject_id` those about one subject; this can't be undone. Memories of its agent stay.",
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: eraseQuery,
  answer: success,
});

export const getConversationMemory = operation({
  id: 'conversationMemories.get',
  route: memoryRoutes['conversationMemories.get'],
  summary: 'Get a memory of a conversation',
  description: 'Returns one memory of the conversation, with the run and the actor that it comes from.',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationMemoryParams,
  answer: memory,
});

export const updateConversationMemory = operation({
  id: 'conversationMemories.update',
  route: memoryRoutes['conversationMemories.update'],
  summary: 'Update a memory of a conversation',
  description:
    'Replaces the text of a memory. Secrets are left out as from a text that the agent writes; afterwards it counts as written by the caller and as trusted.',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationMemoryParams,
  body: memoryWrite,
  example,
  answer: memory,
});

export const deleteConversationMemory = operation({
  id: 'conversationMemories.delete',
  route: memoryRoutes['conversationMemories.delete'],
  summary: 'Delete a memory of a conversation',
  description: "Deletes one memory of the conversation; this can't be undone.",
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationMemoryParams,
  answer: success,
});

export const memoryOperations = [
  listAgentMemories,
  deleteAgentMemories,
  getAgentMemory,
  updateAgentMemory,
  deleteAgentMemory,
  listConversationMemories,
  deleteConversationMemories,
  getConversationMemory,
  updateConversationMemory,
  deleteConversationMemory,
];
