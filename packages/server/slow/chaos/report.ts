import type { ChaosNodes } from './chaos-nodes.ts';

const lastLines = 60;

/** Questions whose answers say what still waits, and for what. */
const questions = {
  'runs that are open': `select id, conversation_id, status, node_id, leased_until, now() as now, last_seq, stop_requested
    from runs where finished_at is null`,
  'runs that did not complete': `select id, conversation_id, status, error, last_seq, stop_requested, started_at, finished_at
    from runs where status in ('failed', 'stopped') and conversation_id in (
      select id from conversations where name like '%talk%') order by id desc limit 20`,
  'requests to people that are open': `select id, run_id, status, created_at from human_requests where status = 'pending'`,
  'workflow runs that are open': `select id, status, node_id, leased_until from workflow_runs where finished_at is null`,
  'jobs that are held': `select id, locked_by, locked_at from graphile_worker.jobs where locked_by is not null`,
  'connections that work': `select pid, application_name, state, wait_event, now() - state_change as since, left(query, 120) as query
    from pg_stat_activity where datname = current_database() and state <> 'idle'`,
};

/** All that helps to understand a failure: the faults, what is open, and what the nodes logged last. */
export async function describeFailure(chaos: ChaosNodes, faults: readonly string[]): Promise<string> {
  const parts = [`faults:\n  ${faults.join('\n  ')}`];
  for (const [what, query] of Object.entries(questions)) {
    const rows = await chaos.query(query).catch((error) => [String(error)]);
    parts.push(`${what}:\n  ${rows.map((row) => JSON.stringify(row)).join('\n  ')}`);
  }
  for (const [number, { server, address }] of chaos.nodes.entries()) {
    const ready = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(6000) }).then(
      (answer) => answer.text(),
      (error) => String(error),
    );
    const lines = server.output().trim().split('\n').slice(-lastLines);
    parts.push(`node ${number} at ${address} says ${ready} and logged:\n  ${lines.join('\n  ')}`);
  }
  return parts.join('\n');
}
