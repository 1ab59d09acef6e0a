import * as operations from '@atrium/contract/memories/operations.ts';
import { done } from '@atrium/contract/page.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { onlyOf } from '../../conversations/service.ts';
import type { Memories } from './service.ts';

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

/** Checks that the owner of memories exists, and returns the settings by which its memories are anonymized. */
export interface MemoryOwners {
  agent(scope: Scope, id: string): Promise<PrivacySettings>;
  conversation(scope: Scope, id: string): Promise<PrivacySettings>;
}

/** Who may not read others' conversations reads no memories from them either. */
const ownedBy = (scope: Scope, agent_id: string) => ({ agent_id, only_of: onlyOf(scope) });

const agentMemoryRoutes = (memories: Memories, requireOwner: MemoryOwners['agent']): Route[] => [
  handle(operations.listAgentMemories, async (scope, { params: { agent_id }, query }) => {
    const settings = await requireOwner(scope, agent_id);
    return memories.list(scope, ownedBy(scope, agent_id), query, settings);
  }),
  handle(operations.deleteAgentMemories, async (scope, { params: { agent_id }, query }) => {
    await requireOwner(scope, agent_id);
    await memories.eraseAll(scope, ownedBy(scope, agent_id), query.subject_id);
    return done;
  }),
  handle(operations.getAgentMemory, async (scope, { params: { agent_id, memory_id } }) => {
    const settings = await requireOwner(scope, agent_id);
    return memories.get(scope, ownedBy(scope, agent_id), memory_id, settings);
  }),
  handle(operations.updateAgentMemory, async (scope, { params: { agent_id, memory_id }, body }) => {
    const settings = await requireOwner(scope, agent_id);
    return memories.edit(scope, ownedBy(scope, agent_id), memory_id, body.text, settings);
  }),
  handle(operations.deleteAgentMemory, async (scope, { params: { agent_id, memory_id } }) => {
    await requireOwner(scope, agent_id);
    await memories.erase(scope, ownedBy(scope, agent_id), memory_id);
    return done;
  }),
];

const conversationMemoryRoutes = (memories: Memories, requireOwner: MemoryOwners['conversation']): Route[] => [
  handle(operations.listConversationMemories, async (scope, { params: { conversation_id }, query }) => {
    const settings = await requireOwner(scope, conversation_id);
    return memories.list(scope, { conversation_id }, query, settings);
  }),
  handle(operations.deleteConversationMemories, async (scope, { params: { conversation_id }, query }) => {
    await requireOwner(scope, conversation_id);
    await memories.eraseAll(scope, { conversation_id }, query.subject_id);
    return done;
  }),
  handle(operations.getConversationMemory, async (scope, { params: { conversation_id, memory_id } }) => {
    const settings = await requireOwner(scope, conversation_id);
    return memories.get(scope, { conversation_id }, memory_id, settings);
  }),
  handle(operations.updateConversationMemory, async (scope, { params: { conversation_id, memory_id }, body }) => {
    const settings = await requireOwner(scope, conversation_id);
    return memories.edit(scope, { conversation_id }, memory_id, body.text, settings);
  }),
  handle(operations.deleteConversationMemory, async (scope, { params: { conversation_id, memory_id } }) => {
    await requireOwner(scope, conversation_id);
    await memories.erase(scope, { conversation_id }, memory_id);
    return done;
  }),
];

/** The memories of an agent or a conversation, for users to list, correct and delete. */
export const memoryRoutes = (memories: Memories, owners: MemoryOwners): Route[] => [
  ...agentMemoryRoutes(memories, owners.agent),
  ...conversationMemoryRoutes(memories, owners.conversation),
];
