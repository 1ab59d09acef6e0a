import { done, paged, success } from '../../../lib/page.ts';
import { defineRoute, type Route } from '../../../lib/route.ts';
import * as s from '../../../lib/schema/schema.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Settings } from '../../settings/settings.ts';
import { memory, memoryListQuery, memoryWrite } from './schema.ts';
import type { Memories, Owner } from './service.ts';

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

/** Whose memories they are: checked to be there, and what it hides. */
export interface MemoryOwners {
  agent(scope: Scope, id: string): Promise<PrivacySettings>;
  conversation(scope: Scope, id: string): Promise<PrivacySettings>;
}

const eraseQuery = s.query({ subject_id: s.optional(s.str({ max: 100 })) });

const kinds = {
  agent: { at: '/v1/agents/{agent_id}', what: 'an agent', tag: 'Agents', edit: 'agents_edit' },
  conversation: {
    at: '/v1/conversations/{conversation_id}',
    what: 'a conversation',
    tag: 'Conversations',
    edit: 'agents_run',
  },
} as const;

/** What an agent or a conversation remembers, for people to see, put right and erase. */
function routesOf(kind: 'agent' | 'conversation', memories: Memories, owners: MemoryOwners): Route[] {
  const { at, what, tag, edit } = kinds[kind];
  const of = s.object({ [`${kind}_id`]: s.uuid(kind) });
  const one = of.extend({ memory_id: s.uuid(`${kind}_memory`) });
  const opened = async (scope: Scope, params: Record<string, unknown>) => {
    const id = params[`${kind}_id`] as string;
    const owner: Owner = kind === 'agent' ? { agent_id: id } : { conversation_id: id };
    return { owner, settings: await owners[kind](scope, id), memory_id: params['memory_id'] as string };
  };
  return [
    defineRoute({
      route: `GET ${at}/memories`,
      summary: `List what ${what} remembers, newest first`,
      tag,
      permission: 'agents_run',
      params: of,
      query: memoryListQuery,
      answer: paged(memory),
      handler: async (scope, { params, query }) => memories.list(scope, (await opened(scope, params)).owner, query),
    }),
    defineRoute({
      route: `DELETE ${at}/memories`,
      summary: `Erase what ${what} remembers, all of it or all about one`,
      tag,
      permission: edit,
      params: of,
      query: eraseQuery,
      answer: success,
      handler: async (scope, { params, query }) => {
        await memories.eraseAll(scope, (await opened(scope, params)).owner, query.subject_id);
        return done;
      },
    }),
    defineRoute({
      route: `GET ${at}/memories/{memory_id}`,
      summary: `Get one thing that ${what} remembers`,
      tag,
      permission: 'agents_run',
      params: one,
      answer: memory,
      handler: async (scope, { params }) => {
        const { owner, memory_id } = await opened(scope, params);
        return memories.get(scope, owner, memory_id);
      },
    }),
    defineRoute({
      route: `PATCH ${at}/memories/{memory_id}`,
      summary: `Put right what ${what} remembers`,
      tag,
      permission: edit,
      params: one,
      body: memoryWrite,
      example: { text: 'Prefers answers in Norwegian' },
      answer: memory,
      handler: async (scope, { params, body }) => {
        const { owner, settings, memory_id } = await opened(scope, params);
        return memories.edit(scope, owner, memory_id, body.text, settings);
      },
    }),
    defineRoute({
      route: `DELETE ${at}/memories/{memory_id}`,
      summary: `Erase one thing that ${what} remembers`,
      tag,
      permission: edit,
      params: one,
      answer: success,
      handler: async (scope, { params }) => {
        const { owner, memory_id } = await opened(scope, params);
        await memories.erase(scope, owner, memory_id);
        return done;
      },
    }),
  ];
}

export const memoryRoutes = (memories: Memories, owners: MemoryOwners): Route[] => [
  ...routesOf('agent', memories, owners),
  ...routesOf('conversation', memories, owners),
];
