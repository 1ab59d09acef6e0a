import type { KbRun } from '@atrium/contract/knowledge-bases/schema.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, sql } from '../../../db/sql.ts';
import type { KbRef, QueuedTraining } from '../ports.ts';
import { isVisible, type Visible } from '../rights/rights-store.ts';
import { belongsToKnowledgeBase } from '../store.ts';

const columns = sql`id, workspace_id as group_id, kind, kb_id as workflow_id, document_id, status, input, output,
  error, progress, json_build_object('stage', stage) as progress_details, null as node_ids, created_at, started_at,
  finished_at`;

/** The runs of documents and sites that are visible, and those of the index. */
const ofVisible = (visible: Visible) => sql`
  and (kind = 'reindex' or exists (
    select from kb_documents d where d.workspace_id = r.workspace_id and d.kb_id = r.kb_id and d.id = r.document_id
      and ${isVisible(sql`d`, visible)}) or exists (
    select from kb_sites s where s.workspace_id = r.workspace_id and s.kb_id = r.kb_id
      and s.id = (r.input ->> 'site_id')::uuid and ${isVisible(sql`s`, visible)}))`;

export const listRuns = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  {
    statuses,
    ids,
    visible,
  }: { statuses: readonly string[] | undefined; ids: readonly string[] | undefined; visible: Visible },
) =>
  db.rows<KbRun>(sql`
    select ${columns} from kb_runs r where workspace_id = ${workspace_id} and kb_id = ${kb_id}
    ${visible === 'all' ? nothing : ofVisible(visible)}
    ${statuses === undefined ? nothing : sql`and status = any(${statuses})`}
    ${ids === undefined ? nothing : sql`and id = any(${ids}::uuid[])`}
    order by id desc limit 1000`);

export const insertTrainings = (
  tx: Db,
  workspace_id: string,
  kb_id: string,
  runs: readonly { id: string; document_id: string }[],
) =>
  tx.run(sql`
    insert into kb_runs (workspace_id, kb_id, id, kind, document_id, input)
    select ${workspace_id}, ${kb_id}, run, 'train', document, json_build_object('document_id', document)
    from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ document_id }) => document_id)}::uuid[])
      as own (run, document)`);

/** Stops the trainings of these documents, inserts new ones, and sets the documents to `training`. */
export async function replaceTrainings(
  tx: Db,
  workspace_id: string,
  kb_id: string,
  runs: readonly { id: string; document_id: string }[],
): Promise<QueuedTraining[]> {
  const [ids, documents] = [runs.map(({ id }) => id), runs.map(({ document_id }) => document_id)];
  await tx.run(sql`
    update kb_runs set status = 'stopped', finished_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = any(${documents}::uuid[])
      and status in ('queued', 'running')`);
  await insertTrainings(tx, workspace_id, kb_id, runs);
  return tx.rows<QueuedTraining>(sql`
    update kb_documents d set status = 'training', stage = 'queued', progress = 0, error = null, current_run = own.run,
      begun = 0, updated_at = now()
    from unnest(${ids}::uuid[], ${documents}::uuid[]) as own (run, document)
    where d.id = own.document and ${belongsToKnowledgeBase(sql`d`, { workspace_id, kb_id })}
    returning own.run as id, d.id as document_id, case when d.file_id is not null then d.size end as bytes`);
}

export const insertRun = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  run: { id: string; kind: 'reindex' | 'crawl'; input?: object },
) =>
  db.run(sql`
    insert into kb_runs (workspace_id, kb_id, id, kind, input)
    values (${workspace_id}, ${kb_id}, ${run.id}, ${run.kind}, ${JSON.stringify(run.input ?? {})})`);

export const stopRun = (db: Db, workspace_id: string, kb_id: string, id: string) =>
  db.run(sql`
    update kb_runs set status = 'stopped', finished_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id} and status in ('queued', 'running')`);

export const stepRun = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  id: string,
  { stage, progress }: { stage: string; progress: number },
) =>
  db.run(sql`
    update kb_runs set status = 'running', stage = ${stage}, progress = ${progress}, started_at = coalesce(started_at, now())
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

export const endRun = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  id: string,
  error: { code: string; message: string } | null,
  output: object | null = null,
) =>
  db.run(sql`
    update kb_runs set status = ${error ? 'failed' : 'completed'}, stage = 'done', progress = ${error ? sql`progress` : 100},
      error = ${error && JSON.stringify(error)}, output = ${output && JSON.stringify(output)}, finished_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

/** A rebuild of the index that waits for a worker. */
export const findQueuedReindex = (db: Db, workspace_id: string, kb_id: string) =>
  db.row<{ id: string }>(sql`
    select id from kb_runs where workspace_id = ${workspace_id} and kb_id = ${kb_id} and kind = 'reindex'
      and status = 'queued' limit 1`);

/** Trainings without a job: the queue was emptied, or gave the job up. */
export const findLostTrainings = (db: Db, { workspace_id, kb_id }: KbRef) =>
  db.rows<QueuedTraining>(sql`
    select d.current_run as id, d.id as document_id, case when d.file_id is not null then d.size end as bytes
    from kb_documents d
    where d.workspace_id = ${workspace_id} and d.kb_id = ${kb_id} and d.status = 'training' and d.stage <> 'index'
      and not exists (
        select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id,
          json_array_elements(j.payload -> 'runs') as own
        where t.identifier = 'knowledge.train' and j.attempts < j.max_attempts
          and j.payload ->> 'kb_id' = ${kb_id}::text and own ->> 'run_id' = d.current_run::text)`);
