import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { AgentSettings, ConversationBase } from './ports.ts';
import { readSettings } from './service.ts';
import { findAgent } from './store.ts';
import { findVersion, restrictedOfAgent, restrictedOfVersion } from './versions/version-store.ts';

const noAgent: ConversationBase = {
  assistant_id: null,
  assistant_version_id: null,
  text: null,
  settings: null,
  published: null,
  is_published: true,
};

export function makeAgentSettings({ db }: { db: Database }): AgentSettings {
  return {
    async forConversation(scope, agent_id, { preview, assistant_version_id }) {
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

    async restricted(scope, of) {
      if (of.version_id) return restrictedOfVersion(db, scope.workspace_id, of.version_id);
      const { published, draft } = await restrictedOfAgent(db, scope.workspace_id, of.agent_id);
      return of.preview ? draft : published;
    },

    async version(tx, scope, agent_id, id) {
      const version = agent_id ? await findVersion(tx, scope.workspace_id, id, agent_id) : undefined;
      if (!version || !agent_id) throw notFound('version');
      const agent = await findAgent(tx, scope.workspace_id, agent_id);
      const is_published = agent?.version_id === version.id;
      return { id: version.id, settings: readSettings(version.definition), is_published };
    },
  };
}
