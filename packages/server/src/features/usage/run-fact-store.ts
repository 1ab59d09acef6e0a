import { type Sql, sql } from '../../db/sql.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { Actor, Scope } from '../../lib/scope.ts';
import type { MessagePart, Reply } from '../messages/ports.ts';

/** The tools by which an agent searches its knowledge bases. */
const isSearch = (name: string) => name === 'knowledge_search' || /^kb_.*_search$/.test(name);

function returnedNothing({ content }: MessagePart): boolean {
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

type Ended = Pick<Reply, 'parts' | 'metadata' | 'foundNothing'>;

/** The figures of a run at its end. */
function figuresOf(run: EndedRun, { parts, metadata, foundNothing }: Ended) {
  const calls = parts.filter((part) => part.type === 'function');
  const searches = calls.filter((call) => isSearch(call.name) && returnedNothing(call)).length;
  return {
    model: metadata?.model ?? null,
    ms: Math.max(0, Date.now() - Date.parse(run.started_at ?? run.created_at)),
    tool_calls: calls.length,
    // Passages may have been found that do not answer the question.
    searches_without_answer: Math.max(searches, foundNothing ? 1 : 0),
    violations: metadata?.guardrails?.objections.length ?? 0,
  };
}

/** The figures of a run that ends. */
export type RunFact = ReturnType<typeof makeRunFact>;

export function makeRunFact(run: EndedRun, reply: Ended, status: string, ttft_ms: number | null) {
  const { id: run_id, group_id: workspace_id, conversation_id, user_message_id, principal } = run;
  const { kind, id: actor_id } = principal.actor;
  return {
    ...{ run_id, workspace_id, conversation_id, user_message_id, status, ttft_ms, ...figuresOf(run, reply) },
    actor_kind: kind,
    actor_id: kind === 'system' ? null : actor_id,
    person_id: principal.person_id ?? (kind === 'person' ? actor_id : null),
    replies: reply.metadata ? 1 : 0,
  };
}

/**
 * The part of the statement that ends runs which stores their figures, for those in `held`. A message that was answered
 * before is not counted again, and previews are not counted.
 */
export function runFactsStatement(facts: readonly RunFact[]): Sql {
  const of = <K extends keyof RunFact>(field: K) => facts.map((fact) => fact[field]);
  const others = sql`select 1 from runs r where r.workspace_id = f.workspace_id and r.conversation_id = f.conversation_id
    and r.id <> f.run_id and r.finished_at is not null`;
  return sql`
    fact as (
      insert into run_facts (workspace_id, run_id, conversation_id, agent_id, version_id, model, actor_kind, actor_id,
        user_id, status, ms, ttft_ms, messages, begins, tool_calls, searches_without_answer, violations, person_id)
      select f.workspace_id, f.run_id, c.id, c.assistant_id, c.assistant_version_id, f.model, f.actor_kind, f.actor_id, c.user_id,
        f.status, f.ms, f.ttft_ms, (not exists (${others} and r.user_message_id = f.user_message_id))::int + f.replies,
        not exists (${others}), f.tool_calls, f.searches_without_answer, f.violations, f.person_id
      from held join unnest(${of('workspace_id')}::uuid[], ${of('run_id')}::uuid[], ${of('conversation_id')}::uuid[],
        ${of('user_message_id')}::uuid[], ${of('model')}::text[], ${of('actor_kind')}::text[], ${of('actor_id')}::uuid[],
        ${of('status')}::text[], ${of('ms')}::int[], ${of('ttft_ms')}::int[], ${of('replies')}::int[], ${of('tool_calls')}::int[],
        ${of('searches_without_answer')}::int[], ${of('violations')}::int[], ${of('person_id')}::uuid[])
        as f (workspace_id, run_id, conversation_id, user_message_id, model, actor_kind, actor_id, status, ms, ttft_ms, replies,
          tool_calls, searches_without_answer, violations, person_id) on f.run_id = held.id,
      lateral (
        select c.id, c.assistant_id, c.assistant_version_id, c.user_id from conversations c
        where c.workspace_id = f.workspace_id and c.id = f.conversation_id and not c.preview offset 0) c
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
