import { operations } from '@atrium/contract/operations.ts';
import type { Database } from '../../db/database.ts';
import type { Agents } from '../../features/agents/service.ts';
import { findMessages } from '../../features/conversations/list/find-messages.ts';
import { type Conversations, onlyOf } from '../../features/conversations/service.ts';
import {
  findBasesByName,
  findDocumentsByName,
  findPassages,
} from '../../features/knowledge-bases/documents/find-store.ts';
import type { Visibility } from '../../features/knowledge-bases/rights/visible.ts';
import { searchRoutes } from '../../features/search/handlers.ts';
import type { SearchSource } from '../../features/search/ports.ts';
import { makeCatalogueSources, makeSearch } from '../../features/search/service.ts';
import { findColumns } from '../../features/tables/columns/find-column-store.ts';
import type { Tables } from '../../features/tables/service.ts';
import { listVariables } from '../../features/variables/store.ts';
import { findSteps } from '../../features/workflows/find-steps.ts';
import type { Workflows } from '../../features/workflows/service.ts';
import { personBehind } from '../../lib/scope.ts';

interface Deps {
  db: Database;
  /** Whether names and messages of conversations are stored encrypted. */
  encrypt: boolean;
  agents: Pick<Agents, 'list'>;
  conversations: Pick<Conversations, 'list'>;
  visibility: Pick<Visibility, 'forLists'>;
  tables: Pick<Tables, 'list'>;
  workflows: Pick<Workflows, 'list'>;
}

const untitled = 'Untitled';

const conversationSources = ({ db, encrypt, conversations }: Deps): SearchSource[] => [
  {
    ...{ type: 'conversations', permission: 'agents_run', isEncrypted: encrypt },
    async find(scope, { q }, size) {
      const query = { search: q, size, page: 1, include_empty: false, mine: false, shared: false };
      const mayBeShared = onlyOf(scope) !== undefined && personBehind(scope) !== null;
      const pages = await Promise.all([
        conversations.list(scope, query),
        ...(mayBeShared ? [conversations.list(scope, { ...query, shared: true })] : []),
      ]);
      const items = pages.flatMap((page) => page.items);
      if (mayBeShared) items.sort((a, b) => (a.last_updated_at < b.last_updated_at ? 1 : -1));
      return items.slice(0, size).map(({ id, name }) => ({
        ...{ title: name ?? untitled, text: null, target: { conversation_id: id } },
      }));
    },
  },
  {
    ...{ type: 'messages', permission: 'agents_run', isEncrypted: encrypt },
    find: async (scope, { words }, limit) =>
      (await findMessages(db, scope, words, limit)).map(({ name, text, ...target }) => ({
        ...{ title: name ?? untitled, text, target },
      })),
  },
];

const knowledgeSources = ({ db, visibility }: Deps): SearchSource[] => [
  {
    ...{ type: 'knowledge_bases', permission: 'kbs_query' },
    find: async ({ workspace_id }, { q }, limit) =>
      (await findBasesByName(db, workspace_id, q, limit)).map(({ id, name }) => ({
        ...{ title: name, text: null, target: { knowledge_base_id: id } },
      })),
  },
  {
    ...{ type: 'documents', permission: 'kbs_query' },
    async find(scope, { q }, limit) {
      const visible = await visibility.forLists(scope);
      const rows = await findDocumentsByName(db, scope.workspace_id, { q, visible, limit });
      return rows.map(({ id, kb_id, name }) => ({
        ...{ title: name, text: null, target: { knowledge_base_id: kb_id, document_id: id } },
      }));
    },
  },
  {
    ...{ type: 'passages', permission: 'kbs_query' },
    async find(scope, { words }, limit) {
      if (words.length === 0) return [];
      const visible = await visibility.forLists(scope);
      const rows = await findPassages(db, scope.workspace_id, { words, visible, limit });
      return rows.map(({ id, kb_id, document_id, name, content, start, end, page }) => ({
        ...{ title: name, text: content },
        target: { knowledge_base_id: kb_id, document_id, passage_id: id, start, end, page },
      }));
    },
  },
];

const recordSources = ({ db, agents, tables, workflows }: Deps): SearchSource[] => [
  {
    ...{ type: 'agents', permission: 'agents_run' },
    async find(scope, { q }, size) {
      const { items } = await agents.list(scope, { search: q, size, page: 1, deleted: false, view: 'summary' });
      return items.map(({ id, name, description }) => ({
        ...{ title: name, text: description, target: { agent_id: id } },
      }));
    },
  },
  {
    ...{ type: 'tables', permission: 'tables_read' },
    async find(scope, { q }, size) {
      const { items } = await tables.list(scope, { search: q, size, page: 1, deleted: false });
      return items.map(({ id, name }) => ({ title: name, text: null, target: { table_id: id } }));
    },
  },
  {
    ...{ type: 'columns', permission: 'tables_read' },
    find: async ({ workspace_id }, { q }, limit) =>
      (await findColumns(db, workspace_id, q, limit)).map(({ table_id, table_name, name, label }) => ({
        ...{ title: label ?? name, text: `${table_name}: ${name}`, target: { table_id, column: name } },
      })),
  },
  {
    ...{ type: 'workflows', permission: 'flows_run' },
    async find(scope, { q }, size) {
      const { items } = await workflows.list(scope, { search: q, size, page: 1, view: 'summary' });
      return items.map(({ id, name }) => ({ title: name, text: null, target: { workflow_id: id } }));
    },
  },
  {
    ...{ type: 'steps', permission: 'flows_run' },
    find: async ({ workspace_id }, { q }, limit) =>
      (await findSteps(db, workspace_id, q, limit)).map(({ workflow_id, workflow_name, step_id, name }) => ({
        ...{ title: name, text: `${workflow_name}: ${step_id}`, target: { workflow_id, step_id } },
      })),
  },
  {
    ...{ type: 'variables', permission: 'variables_read' },
    async find({ workspace_id }, { q }, size) {
      const { rows } = await listVariables(db, workspace_id, { search: q }, { size, offset: 0 });
      return rows.map(({ id, name }) => ({ title: name, text: null, target: { variable_id: id } }));
    },
  },
];

/** One search over the records of all features, each by the rights of its lists. */
export const composeSearch = (deps: Deps) =>
  searchRoutes(
    makeSearch([
      ...conversationSources(deps),
      ...knowledgeSources(deps),
      ...recordSources(deps),
      ...makeCatalogueSources(operations),
    ]),
  );
