import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';
import { timedList } from '../list-query.ts';
import * as s from '../schema/schema.ts';

export const dataJobKinds = ['erase_person', 'export_person', 'export_workspace', 'import_workspace'] as const;

const followUp = z
  .strictObject({
    what: z
      .enum(['secret', 'trust', 'left_out', 'invalid'])
      .describe(
        '`secret`: a value has to be filled in. `trust`: an entry was trusted and is not any more. `left_out`: it was not imported. `invalid`: it was imported and can not run as it is.',
      ),
    kind: z.string().describe('The kind of record, such as `agent`, `workflow`, `table` or `variable`.'),
    name: z.string().describe('The name of the record.'),
    detail: z.string().describe('The place in the record, or the reason.'),
  })
  .meta({ id: 'DataJobFollowUp' });

export const dataJob = z
  .strictObject({
    id: z.guid().describe('The id of the job.'),
    kind: z.enum(dataJobKinds).describe('What it does.'),
    person_id: z
      .guid()
      .nullable()
      .describe('Whose data it is. After an erasure no account has this id. Null for jobs of workspaces.'),
    group_id: z
      .guid()
      .nullable()
      .describe(
        'The workspace that is exported, or that the import makes. Null for jobs of people, and before it is made.',
      ),
    status: z
      .enum(['queued', 'running', 'done', 'failed'])
      .describe('Where it stands. A job whose server dies goes on when one is there again.'),
    progress: z.number().describe('The part that is done, from 0 to 1.'),
    report: z
      .record(z.string(), z.int())
      .describe(
        'How many records of each kind were erased, exported or imported; `kept_…`: what was left and is named in the docs.',
      ),
    follow_up: z
      .array(followUp)
      .describe('What is left to do after an import; 1,000 at most, `report.follow_up` counts all of them.'),
    error: z.string().nullable().describe('Why it failed.'),
    has_file: z.boolean().describe('Whether the archive can be downloaded by who asked for it.'),
    expires_at: z.iso.datetime().nullable().describe('When the archive is deleted.'),
    created_by: z.guid().describe('The person or key that asked for it.'),
    created_by_actor: actorField('Who asked for it.'),
    created_at: createdAt,
    ended_at: z.iso.datetime().nullable().describe('When it was done or had failed.'),
  })
  .meta({ id: 'DataJob' });

export const dataJobParams = s.object({ data_job_id: s.uuid('data_job').describe('The id of the job.') });
export const dataJobsQuery = s.query(timedList());

export type FollowUp = z.output<typeof followUp>;
export type DataJob = z.output<typeof dataJob>;
