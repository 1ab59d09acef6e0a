import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
import * as s from '../schema/schema.ts';
import { memoryRoutes } from './routes.ts';
import { memory, memoryListQuery, memoryWrite } from './schema.ts';

const eraseQuery = s.query({ subject_id: s.optional(s.str({ max: 100 })) });
const example = { text: 'Prefers answers in Norwegian' };

const agentParams = s.object({ agent_id: s.uuid('agent') });
const agentMemoryParams = agentParams.extend({ memory_id: s.uuid('agent_memory') });

export const listAgentMemories = operation({
  id: 'agentMemories.list',
  route: memoryRoutes['agentMemories.list'],
  summary: 'List what an agent remembers, newest first',
  tag: 'Agents',
  permission: 'agents_run',
  params: agentParams,
  query: memoryListQuery,
  answer: paged(memory),
});

export const deleteAgentMemories = operation({
  id: 'agentMemories.deleteAll',
  route: memoryRoutes['agentMemories.deleteAll'],
  summary: 'Erase what an agent remembers, all of it or all about one',
  tag: 'Agents',
  permission: 'agents_edit',
  params: agentParams,
  query: eraseQuery,
  answer: success,
});

export const getAgentMemory = operation({
  id: 'agentMemories.get',
  route: memoryRoutes['agentMemories.get'],
  summary: 'Get one thing that an agent remembers',
  tag: 'Agents',
  permission: 'agents_run',
  params: agentMemoryParams,
  answer: memory,
});

export const updateAgentMemory = operation({
  id: 'agentMemories.update',
  route: memoryRoutes['agentMemories.update'],
  summary: 'Put right what an agent remembers',
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
  summary: 'Erase one thing that an agent remembers',
  tag: 'Agents',
  permission: 'agents_edit',
  params: agentMemoryParams,
  answer: success,
});

const conversationParams = s.object({ conversation_id: s.uuid('conversation') });
const conversationMemoryParams = conversationParams.extend({ memory_id: s.uuid('conversation_memory') });

export const listConversationMemories = operation({
  id: 'conversationMemories.list',
  route: memoryRoutes['conversationMemories.list'],
  summary: 'List what a conversation remembers, newest first',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: memoryListQuery,
  answer: paged(memory),
});

export const deleteConversationMemories = operation({
  id: 'conversationMemories.deleteAll',
  route: memoryRoutes['conversationMemories.deleteAll'],
  summary: 'Erase what a conversation remembers, all of it or all about one',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: eraseQuery,
  answer: success,
});

export const getConversationMemory = operation({
  id: 'conversationMemories.get',
  route: memoryRoutes['conversationMemories.get'],
  summary: 'Get one thing that a conversation remembers',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationMemoryParams,
  answer: memory,
});

export const updateConversationMemory = operation({
  id: 'conversationMemories.update',
  route: memoryRoutes['conversationMemories.update'],
  summary: 'Put right what a conversation remembers',
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
  summary: 'Erase one thing that a conversation remembers',
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
