import { notFound } from '@atrium/contract/errors.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { readSettings } from './service.ts';
import { findAgent } from './store.ts';
import { findVersion, restrictedOfAgent, restrictedOfVersion } from './versions/version-store.ts';

/** What a new conversation starts from. */
export interface ConversationBase {
  assistant_id: string | null;
  /** None for a preview, which follows the draft. */
  assistant_version_id: string | null;
  text: string | null;
  settings: SparseSettings | null;
  /** What the agent's locks are measured against: the published settings. */
  published: SparseSettings | null;
  /** Whether it is what any new conversation with this agent follows. */
  is_published: boolean;
}

const noAgent: ConversationBase = {
  assistant_id: null,
  assistant_version_id: null,
  text: null,
  settings: null,
  published: null,
  is_published: true,
};

export type AgentSettings = ReturnType<typeof makeAgentSettings>;

/** The part of agents that conversations need: which settings they start from, and which version that is. */
export function makeAgentSettings({ db }: { db: Database }) {
  return {
    async forConversation(
      scope: Scope,
      agent_id: string | undefined,
      { preview, assistant_version_id }: { preview: boolean; assistant_version_id?: string | undefined },
    ): Promise<ConversationBase> {
      const named = assistant_version_id
        ? await findVersion(db, scope.workspace_id, assistant_version_id, agent_id ?? null)
        : undefined;
      if (assistant_version_id && !named) throw notFound('version');
      const assistant_id = agent_id ?? named?.agent_id;
      if (assistant_id === undefined) return noAgent;
      const agent = await findAgent(db, scope.workspace_id, assistant_id);
      if (!agent) throw notFound('agent');
      const published = readSettings(agent.definition);
      const text = named?.definition ?? (preview ? agent.draft_definition : null) ?? agent.definition;
      return {
        assistant_id,
        assistant_version_id: named ? named.id : preview ? null : agent.version_id,
        text,
        settings: text === agent.definition ? published : readSettings(text),
        published,
        is_published: text === agent.definition || named?.id === agent.version_id,
      };
    },

    /** The settings of a version, of what the agent has published or of its draft, whose saver lacked variables_read. */
    async restricted(scope: Scope, of: { agent_id: string; version_id?: string | null; preview?: boolean }) {
      if (of.version_id) return restrictedOfVersion(db, scope.workspace_id, of.version_id);
      const { published, draft } = await restrictedOfAgent(db, scope.workspace_id, of.agent_id);
      return of.preview ? draft : published;
    },

    /** A version that a conversation of this agent may be moved to. */
    async version(tx: Db, scope: Scope, agent_id: string | null, id: string) {
      const version = agent_id ? await findVersion(tx, scope.workspace_id, id, agent_id) : undefined;
      if (!version || !agent_id) throw notFound('version');
      const agent = await findAgent(tx, scope.workspace_id, agent_id);
      const is_published = agent?.version_id === version.id;
      return { id: version.id, settings: readSettings(version.definition), is_published };
    },
  };
}
