import { type Sql, sql } from '../../db/sql.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { Actor, Scope } from '../../lib/scope.ts';
import type { MessagePart, Reply } from '../messages/ports.ts';

/** The tools by which an agent searches its knowledge bases. */
const isSearch = (name: string) => name === 'knowledge_search' || /^kb_.*_search$/.test(name);

function foundNothing({ content }: MessagePart): boolean {
  try {
    const { results } = fieldsOf(JSON.parse(content));
    return Array.isArray(results) && results.length === 0;
  } catch {
    return false;
  }
}

/** A run, as far as its figures need it. */
interface EndedRun {
  id: string;
  group_id: string;
  conversation_id: string;
  user_message_id: string;
  principal: { actor: Actor; person_id?: string };
  created_at: string;
  started_at: string | null;
}

type Ended = Pick<Reply, 'parts' | 'metadata'>;

/** The figures of a run at its end. */
function figuresOf(run: EndedRun, { parts, metadata }: Ended) {
  const calls = parts.filter((part) => part.type === 'function');
  return {
    model: metadata?.model ?? null,
    ms: Math.max(0, Date.now() - Date.parse(run.started_at ?? run.created_at)),
    tool_calls: calls.length,
    searches_without_answer: calls.filter((call) => isSearch(call.name) && foundNothing(call)).length,
    violations: metadata?.guardrails?.objections.length ?? 0,
  };
}

/**
 * The part of the statement that ends a run which stores its figures, if `held` has a row. A message that was answered
 * before is not counted again, and previews are not counted.
 */
export function runFactStatement(run: EndedRun, reply: Ended, status: string, ttft_ms: number | null): Sql {
  const { group_id, id, conversation_id, user_message_id, principal } = run;
  const figures = figuresOf(run, reply);
  const { kind, id: actor_id } = principal.actor;
  const person_id = principal.person_id ?? (kind === 'person' ? actor_id : null);
  const others = sql`select 1 from runs where workspace_id = ${group_id} and conversation_id = ${conversation_id}
    and id <> ${id} and finished_at is not null`;
  return sql`
    fact as (
      insert into run_facts (workspace_id, run_id, conversation_id, agent_id, version_id, model, actor_kind, actor_id,
        user_id, status, ms, ttft_ms, messages, begins, tool_calls, searches_without_answer, violations, person_id)
      select ${group_id}, held.id, c.id, c.assistant_id, c.assistant_version_id, ${figures.model}, ${kind},
        ${kind === 'system' ? null : actor_id}, c.user_id, ${status}, ${figures.ms}, ${ttft_ms},
        (not exists (${others} and user_message_id = ${user_message_id}))::int + ${reply.metadata ? 1 : 0}::int,
        not exists (${others}),
        ${figures.tool_calls}, ${figures.searches_without_answer}, ${figures.violations}, ${person_id}::uuid
      from held, conversations c
      where c.workspace_id = ${group_id} and c.id = ${conversation_id} and not c.preview
      on conflict do nothing)`;
}

/** A person's answer in place of the agent's: a message that no run has said. */
export const personFactStatement = (
  { workspace_id, actor, person_id }: Scope,
  conversation_id: string,
  message_id: string,
): Sql => sql`
  insert into said_facts (workspace_id, message_id, agent_id, version_id, actor_kind, actor_id, user_id, person_id)
  select ${workspace_id}, ${message_id}, c.assistant_id, c.assistant_version_id, ${actor.kind}, ${actor.id}, c.user_id,
    ${person_id ?? (actor.kind === 'person' ? actor.id : null)}::uuid
  from conversations c where c.workspace_id = ${workspace_id} and c.id = ${conversation_id} and not c.preview
  on conflict do nothing`;
