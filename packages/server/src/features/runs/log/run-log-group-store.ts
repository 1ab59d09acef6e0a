import type { Database } from '../../../db/database.ts';
import { groupCalls } from '../../../db/group-calls.ts';
import { nothing, sql } from '../../../db/sql.ts';
import type { RunReply, Transcript } from '../../conversations/ports.ts';
import type { RunFact } from '../../usage/ports.ts';
import { insertCallsStatement, runFactsStatement } from '../../usage/service.ts';
import { type EndedRun, publishStatement } from './run-end-store.ts';
import { type Appended, insertEventsPart, type LogPart, lastSeq } from './run-log-store.ts';

/** Words for the log of a run, and the number of the last event that it has. */
interface WordsWrite extends LogPart {
  last_seq: number;
}

/** The completed end of a run with a usual reply. */
interface CompletedRun extends WordsWrite, Appended {
  run: EndedRun;
  reply: RunReply;
  finished_at: string;
  fact: RunFact;
}

const workspaceOf = ({ workspace_id }: LogPart) => workspace_id;

/**
 * Writes to the logs of several runs of a workspace that this node executes in one statement. False for a run that the statement has left
 * out: another node executes it, or its row or its conversation is locked. It is written alone then.
 */
export function makeRunLogGroups({
  db,
  node_id,
  transcript,
}: {
  db: Database;
  node_id: string;
  transcript: Pick<Transcript, 'repliesStatement'>;
}) {
  const isIn = (rows: readonly { id: string }[]) => {
    const ids = new Set(rows.map(({ id }) => id));
    return ({ run_id }: LogPart) => ids.has(run_id);
  };

  return {
    /** A database that crashes may lose the last of these words. */
    appendWords: groupCalls(workspaceOf, async (logs: readonly WordsWrite[]) => {
      const of = <T>(value: (log: WordsWrite) => T) => logs.map(value);
      const rows = await db.grouped.rows<{ id: string }>(sql`
        with locked as (
          select log.* from unnest(${of((log) => log.workspace_id)}::uuid[], ${of((log) => log.run_id)}::uuid[],
            ${of((log) => log.last_seq)}::int[], ${of((log) => lastSeq(log.events, log.last_seq))}::int[])
            as log (workspace_id, run_id, last_seq, new_seq),
          lateral (
            select 1 from runs r where r.workspace_id = log.workspace_id and r.id = log.run_id and r.node_id = ${node_id}
              and r.last_seq = log.last_seq
            for no key update skip locked) r),
        held as (
          update runs r set last_seq = locked.new_seq from locked
          where r.workspace_id = locked.workspace_id and r.id = locked.run_id
          returning r.id, r.workspace_id as group_id),
        ${insertEventsPart(logs)}
        select id, set_config('synchronous_commit', 'off', true) from held`);
      return logs.map(isIn(rows));
    }),

    endCompleted: groupCalls(workspaceOf, async (ends: readonly CompletedRun[]) => {
      const of = <T>(value: (end: CompletedRun) => T) => ends.map(value);
      const reply = transcript.repliesStatement(of((end) => end.reply));
      const calls = ends.flatMap((end) => end.calls);
      const published = of(({ run }) => ({ run, status: 'completed' as const, error: null }));
      const rows = await db.grouped.rows<{ id: string }>(sql`
        with ${reply.locked},
        holding as (
          select locked.workspace_id, over.*, r.usage_settled,
            case when locked.charged_to is null then r.tokens_held else 0 end as tokens_given_back
          from locked join unnest(${of((end) => end.run_id)}::uuid[], ${of((end) => end.finished_at)}::timestamptz[],
            ${of((end) => end.last_seq)}::int[], ${of((end) => lastSeq(end.events, end.last_seq))}::int[])
            as over (run_id, finished_at, last_seq, new_seq) on over.run_id = locked.run_id,
          lateral (
            select r.usage_settled, r.tokens_held from runs r
            where r.workspace_id = locked.workspace_id and r.id = locked.run_id offset 0) r),
        held as (
          update runs r set status = 'completed', finished_at = holding.finished_at, last_seq = holding.new_seq, node_id = null,
            leased_until = null, tokens_held = r.tokens_held - holding.tokens_given_back
          from holding
          where r.workspace_id = holding.workspace_id and r.id = holding.run_id and r.node_id = ${node_id}
            and r.last_seq = holding.last_seq
          returning r.id, r.workspace_id as group_id, holding.usage_settled, holding.tokens_given_back),
        ${insertEventsPart(ends)}, ${reply.appended}, told as (${publishStatement(published, sql`held`)}),
        ${runFactsStatement(of((end) => end.fact))} ${calls.length ? sql`, ${insertCallsStatement(calls)}` : nothing}
        select id from held`);
      return ends.map(isIn(rows));
    }),
  };
}
