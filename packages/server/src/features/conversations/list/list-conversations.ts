import type { ConversationListQuery, ConversationSummary } from '@atrium/contract/conversations/schema.ts';
import type { ShareAccess } from '@atrium/contract/conversations/share-operations.ts';
import { forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import { type Paged, type PageWindow, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { PageRows } from '../../../db/read-page.ts';
import type { Sql } from '../../../db/sql.ts';
import { lacksPermission, noPerson, personBehind, type Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import { isOfAnother, onlyOf } from '../is-visible.ts';
import { flagsOf, readMarks, requirePerson } from '../marks/marks.ts';
import { readLastMessages } from '../message-store.ts';
import type { OpenConversation } from '../ports.ts';
import { findAccess } from '../shares/share-store.ts';
import { type ConversationRow, hasAgent } from '../store.ts';
import { beginningOf } from './beginning-of.ts';
import * as store from './list-store.ts';

function requirePermission(scope: Scope, permission: Permission): void {
  if (!allows(scope.permissions, permission)) throw forbidden(lacksPermission(scope, permission));
}

/** What lists show of other features' records, by the ids of agents and of conversations, and what they filter by. */
export interface ListSources {
  /** Statements that select ids of conversations. */
  rated(workspace_id: string, rating: 'up' | 'down'): Sql;
  about(workspace_id: string, topic_id: string): Sql;
  agents(
    db: Db,
    workspace_id: string,
    ids: readonly string[],
  ): Promise<Map<string, { id: string; name: string; image_url: string | null }>>;
  /** The requests to people that are still open. */
  waiting(
    db: Db,
    workspace_id: string,
    conversation_ids: readonly string[],
  ): Promise<Map<string, { approvals: number; questions: number }>>;
}

export interface ConversationLists {
  list(scope: Scope, query: ConversationListQuery): Promise<Paged<OpenConversation>>;
  /** The same page with little of each conversation. */
  summaries(scope: Scope, query: ConversationListQuery): Promise<Paged<ConversationSummary>>;
}

interface Options {
  db: Database;
  sources: ListSources;
  /** Whether names are stored encrypted, so that they cannot be searched or sorted by. */
  encrypt: boolean;
  openLink<T extends ConversationRow>(scope: Scope, row: T): Promise<T & { public_access_token: string | null }>;
}

export function makeConversationLists({ db, sources, encrypt, openLink }: Options): ConversationLists {
  /** One page by either statement. A filter by an agent that the workspace does not have is an error. */
  async function read<T extends { person_id: string | null }>(
    scope: Scope,
    query: ConversationListQuery,
    list: ListStatement<T>,
  ) {
    const window = pageOf(query);
    const { assistant_id, rating, topic_id, pinned, archived, unread, ...filters } = query;
    if (query.search !== undefined && encrypt)
      throw invalid(
        ['query', 'search'],
        'names are encrypted (ATRIUM_ENCRYPT_AT_REST) and cannot be searched',
        query.search,
      );
    if (query.sort?.endsWith('name') && encrypt)
      throw invalid(
        ['query', 'sort'],
        'names are encrypted (ATRIUM_ENCRYPT_AT_REST) and cannot be sorted by',
        query.sort,
      );
    const shared_with = query.shared ? requirePerson(scope) : undefined;
    const only_of = shared_with
      ? undefined
      : (onlyOf(scope) ?? (query.mine ? (personBehind(scope) ?? noPerson) : undefined));
    if (rating) requirePermission(scope, 'conversations_read');
    if (topic_id) requirePermission(scope, 'insights_read');
    const among = [
      ...(rating ? [sources.rated(scope.workspace_id, rating)] : []),
      ...(topic_id ? [sources.about(scope.workspace_id, topic_id)] : []),
    ];
    const asksForMarks = [pinned, archived, unread].some((mark) => mark !== undefined);
    const marks = asksForMarks ? { person_id: requirePerson(scope), pinned, archived, unread } : undefined;
    const filter = { ...filters, assistant_id, only_of, shared_with, among, marks };
    const [{ rows, total, last }, facets] = await Promise.all([
      list(db, scope.workspace_id, filter, window),
      query.facets ? store.countConversationFacets(db, scope.workspace_id, filter) : undefined,
    ]);
    if (only_of === undefined && !query.shared && rows.some(({ person_id }) => isOfAnother(scope, person_id)))
      scope.noteRead?.({ kind: 'conversations', id: null, owner_id: null });
    if (total === 0 && assistant_id && !(await hasAgent(db, scope.workspace_id, assistant_id))) throw notFound('agent');
    const answer = <I>(items: I[]): Paged<I> => ({
      ...pageAnswer(items, total, window, last),
      ...(facets && { facets }),
    });
    return { rows, answer };
  }

  async function readAccess(scope: Scope, rows: readonly { id: string }[]): Promise<Map<string, ShareAccess>> {
    const ids = rows.map(({ id }) => id);
    const found = await findAccess(db, scope.workspace_id, requirePerson(scope), ids);
    return new Map(found.map(({ conversation_id, access }) => [conversation_id, access]));
  }

  return {
    async list(scope, query) {
      const { rows, answer } = await read(scope, query, store.listConversations);
      const access = query.shared ? await readAccess(scope, rows) : new Map<string, ShareAccess>();
      const open = await Promise.all(
        rows.map((row) =>
          openLink(scope, { ...row, ...(query.shared && { shared_access: access.get(row.id) ?? 'read' }) }),
        ),
      );
      return answer(await withActors(db, scope, open, 'created_by'));
    },

    async summaries(scope, query) {
      const { rows, answer } = await read(scope, query, store.listSummaries);
      const ids = rows.map(({ id }) => id);
      const agentIds = [...new Set(rows.flatMap(({ assistant_id }) => assistant_id ?? []))];
      const { workspace_id } = scope;
      const person_id = personBehind(scope);
      const [last, waiting, agents, marks] = await Promise.all([
        readLastMessages(db, workspace_id, ids),
        // Only a run that goes on or waits has open requests.
        sources.waiting(
          db,
          workspace_id,
          rows.filter(({ status }) => status === 'awaiting_human_feedback' || status === 'running').map(({ id }) => id),
        ),
        sources.agents(db, workspace_id, agentIds),
        readMarks(db, workspace_id, person_id, ids),
      ]);
      const items = rows.map((row): ConversationSummary => {
        const message = last.get(row.id);
        const { assistant_id } = row;
        const agent = assistant_id && (agents.get(assistant_id) ?? { id: assistant_id, name: null, image_url: null });
        return {
          // Summaries are cut to their fields, so nothing is taken out of the row here.
          ...row,
          ...flagsOf(row, marks.get(row.id), person_id),
          agent: agent || null,
          last_line: message ? beginningOf(message.parts) : null,
          last_role: message?.role ?? null,
          waiting_approvals: waiting.get(row.id)?.approvals ?? 0,
          waiting_questions: waiting.get(row.id)?.questions ?? 0,
        };
      });
      return answer(items);
    },
  };
}

type ListStatement<T> = (
  db: Db,
  workspace_id: string,
  filter: store.ConversationFilter,
  window: PageWindow,
) => Promise<PageRows<T>>;
