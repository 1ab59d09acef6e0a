import * as z from 'zod';
import * as s from '../schema/schema.ts';

const outcomes = ['done', 'refused', 'read'] as const;

const named = (what: string) =>
  z.strictObject({
    kind: z.string().describe(`The kind of ${what}, such as \`agent\` or \`api_key\`.`),
    id: z.string().describe('Its id.'),
    name: z.string().nullable().describe('Its name as it was last known. Null: not known, or erased.'),
  });

const fields = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = z
  .strictObject({
    id: z.guid().describe('The id of the entry.'),
    at: z.iso.datetime().describe('When the change was made (ISO 8601, UTC).'),
    group_id: z.guid().nullable().describe('The workspace that was changed. Null: the organization itself.'),
    operation: z
      .string()
      .describe('The operation, such as `agentVersions.publish`. `audit.refusals`: several, counted together.'),
    outcome: z
      .enum(outcomes)
      .describe('Whether the change was made or refused, or whether a record of another person was read.'),
    reason: z.string().nullable().describe('The `code` of the answer that refused. Null: it was not refused.'),
    actor: named('actor').describe('Who acted. The kind `nobody` is a caller without a valid credential.'),
    person: named('actor')
      .nullable()
      .describe('The person behind the actor: who was signed in, or whose account was named. Null: none is known.'),
    session_id: z.guid().nullable().describe('The session of the person. Null: the caller had none.'),
    api_key_id: z.string().nullable().describe('The API key of the request. Null: the caller had none.'),
    target: named('record').nullable().describe('The record that was changed or read. Null: no single one.'),
    parent: named('record')
      .nullable()
      .describe('The record that the target belongs to; of a read, the person whose it is. Null: none.'),
    before: fields.describe(
      'The fields that changed, as they were. Long texts are cut off; secrets, names of people and lists of objects are shown as `[changed]` only. Null: the record is new, or the operation stores no values.',
    ),
    after: fields.describe('The same fields after the change. Null: the record was deleted, or nothing is known.'),
    address: z.string().nullable().describe('Where the request came from. Null: not a request.'),
    user_agent: z.string().nullable().describe('The program of the caller, as it names itself. Null: not known.'),
    request_id: z.string().nullable().describe('The id of the request. Null: not a single request.'),
    count: z.int().describe('How many refusals or reads the entry stands for; 1 for everything else.'),
    first_at: z.iso
      .datetime()
      .nullable()
      .describe('When the first of several refusals or reads was. Null: it is a single one.'),
    last_at: z.iso
      .datetime()
      .nullable()
      .describe('When the last of several refusals or reads was. Null: it is a single one.'),
    position: z.int().nullable().describe('The place in the hash chain of its workspace. Null: not linked yet.'),
    hash: z.string().nullable().describe('The SHA-256 of the link, in hex. Null: not linked yet.'),
  })
  .meta({ id: 'AuditEntry' });

const filters = {
  group_id: s
    .optional(s.uuid('workspace'))
    .describe('Only changes of this workspace; all that the caller may see unless given.'),
  organization: s
    .withDefault(s.bool(), false)
    .describe('Whether to return only changes of the organization itself, such as sign-ins, people and roles.'),
  actor_id: s.optional(s.str({ max: 100 })).describe('Only what this key, person or other actor did.'),
  person_id: s.optional(s.uuid()).describe('Only what this person did, by a session or by a key.'),
  operation: s
    .optional(s.str({ max: 100 }))
    .describe(
      'Only calls of this operation, such as `agents.update`. `agentVersions.publish` finds also versions that were published as they were made.',
    ),
  target_kind: s.optional(s.str({ max: 100 })).describe('With `target_id`: the kind of the record.'),
  target_id: s
    .optional(s.str({ max: 100 }))
    .describe('Only changes of this record and of what belongs to it, such as the versions of an agent.'),
  outcome: s
    .optional(s.oneOf(outcomes))
    .describe('Only changes that were made, only those that were refused, or only reads.'),
  reads: s
    .withDefault(s.bool(), false)
    .describe("Whether reads of what is another person's are returned beside changes and refusals."),
  since: s.optional(s.datetime()).describe('Only entries from this moment on.'),
  until: s.optional(s.datetime()).describe('Only entries before this moment.'),
};

export const auditQuery = s.query({
  ...filters,
  cursor: s.optional(s.str({ max: 200 })).describe('`next_cursor` of the page before; the first page unless given.'),
  size: s.withDefault(s.int({ ge: 1, le: 200 }), 50).describe('Entries on a page; 50 unless given.'),
});

export const auditExportQuery = s.query({
  ...filters,
  format: s.withDefault(s.oneOf(['ndjson', 'csv']), 'ndjson').describe('One JSON object a line, or CSV.'),
});

export const auditPage = z
  .strictObject({
    items: z.array(auditEntry).describe('The entries of this page, the latest first.'),
    next_cursor: z.string().nullable().describe('Send it as `cursor` for the next page; null on the last one.'),
  })
  .meta({ id: 'AuditPage' });

export const auditVerifyQuery = s.query({
  group_id: s
    .optional(s.uuid('workspace'))
    .describe('Only the chain of this workspace; all chains of the organization unless given.'),
});

const chainFault = z.strictObject({
  chain_id: z.guid().describe('The chain: the id of its workspace, or of the organization.'),
  position: z.int().nullable().describe('The place in the chain. Null: the entry has none.'),
  entry_id: z.guid().nullable().describe('The entry that the fault is about. Null: it is not known.'),
  problem: z
    .enum(['altered', 'deleted', 'inserted', 'end_removed', 'beginning_removed'])
    .describe(
      '`altered`: the entry does not fit its hash, or was moved. `deleted`: the entry or its link is gone. `inserted`: the entry was not written by the server. `end_removed`: the chain is shorter than it was. `beginning_removed`: entries were deleted that retention did not delete.',
    ),
});

export const auditReport = z
  .strictObject({
    ok: z.boolean().describe('Whether no fault was found.'),
    entries: z.int().describe('How many entries were verified.'),
    faults: z.array(chainFault).describe('The first hundred faults.'),
    chains: z
      .array(
        z.strictObject({
          chain_id: z.guid().describe('The id of its workspace, or of the organization.'),
          position: z.int().describe('The last place in the chain.'),
          hash: z
            .string()
            .describe('The hash there, in hex; store it elsewhere to prove later that nothing was rewritten.'),
        }),
      )
      .describe('The chains that were verified.'),
  })
  .meta({ id: 'AuditReport' });

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditFilters = Omit<z.output<typeof auditExportQuery>, 'format'>;
export type AuditQuery = z.output<typeof auditQuery>;
export type AuditExportQuery = z.output<typeof auditExportQuery>;
export type AuditPage = z.output<typeof auditPage>;
export type AuditReport = z.output<typeof auditReport>;
export type ChainFault = AuditReport['faults'][number];
