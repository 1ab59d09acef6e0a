import type { ActorName } from '@atrium/contract/actor.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';

export interface SampleRow {
  workflow_id: string;
  node_id: string;
  /** JSON text. */
  outputs: string;
  bytes: number;
  run_id: string | null;
  saved_by: string | null;
  saved_by_actor?: ActorName | null;
  saved_at: string;
}

const columns = sql`workflow_id, node_id, outputs, bytes, run_id, saved_by, saved_at`;

export const listSamples = (db: Db, workspace_id: string, workflow_id: string) =>
  db.rows<SampleRow>(sql`
    select ${columns} from workflow_samples
    where workspace_id = ${workspace_id} and workflow_id = ${workflow_id} order by node_id`);

export interface NewSample {
  workflow_id: string;
  node_id: string;
  outputs: string;
  run_id: string | null;
  mentions: readonly string[];
}

export const saveSample = (db: Db, workspace_id: string, sample: NewSample) => {
  const { workflow_id, node_id, outputs, run_id, mentions } = sample;
  const stored = storedText('workflow_samples.outputs', workspace_id, [workflow_id, node_id], outputs);
  return db.run(sql`
    insert into workflow_samples (workspace_id, workflow_id, node_id, outputs, bytes, run_id, mentions)
    values (${workspace_id}, ${workflow_id}, ${node_id}, ${stored}, ${outputs.length}, ${run_id}, ${[...mentions]}::uuid[])
    on conflict (workspace_id, workflow_id, node_id) do update set outputs = excluded.outputs, bytes = excluded.bytes,
      run_id = excluded.run_id, mentions = excluded.mentions, saved_by = current_actor(), saved_at = now()`);
};

export const deleteSample = (db: Db, workspace_id: string, workflow_id: string, node_id: string) =>
  db.run(sql`
    delete from workflow_samples
    where workspace_id = ${workspace_id} and workflow_id = ${workflow_id} and node_id = ${node_id}`);

/** The samples that name one of these actors. */
export const listSamplesNaming = (db: Db, workspace_id: string, actor_ids: readonly string[]) =>
  db.rows<SampleRow>(sql`
    select ${columns} from workflow_samples
    where workspace_id = ${workspace_id} and mentions && ${[...actor_ids]}::uuid[] order by workflow_id, node_id`);

export const deleteSamplesNaming = (db: Db, workspace_id: string, actor_ids: readonly string[]) =>
  db.run(sql`
    delete from workflow_samples
    where workspace_id = ${workspace_id} and mentions && ${[...actor_ids]}::uuid[]`);
