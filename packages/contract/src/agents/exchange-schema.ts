import * as z from 'zod';
import * as s from '../schema/schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { warningsField } from '../settings/warning-schema.ts';
import { agent, agentFields } from './schema.ts';

export const fileFormat = 'atrium.agent';
export const fileVersion = 1;

const path = z.array(z.string()).describe('The keys and indexes that lead to the place in the file.');
/** Settings as stored: only the keys that a caller has set, rich texts with the structure their editor gave them. */
const storedSettings = z.record(z.string(), z.unknown());
const kind = z.string().describe('The kind of record, such as `knowledge_base` or `variable`.');
const recordName = z.string().nullable().describe('The name of the record; null when it is unknown.');

/** An agent as a file that another workspace or installation can take. */
export const agentFile = z
  .strictObject({
    format: z.literal(fileFormat).describe('Names the format of the file.'),
    version: z.literal(fileVersion).describe('The version of the format.'),
    exported_at: z.iso.datetime().describe('When the file was made (ISO 8601, UTC).'),
    agent: z
      .strictObject({
        name: z.string().describe('The name of the agent.'),
        description: z.string().nullable().describe('What the agent is for.'),
        visible: z.boolean().describe('Whether clients list the agent for users.'),
        image_url: z.string().nullable().describe('The address of its picture, without credentials.'),
        allow_public_access: z.boolean().describe('Whether the agent is meant for the public.'),
        definition: storedSettings.describe('The published settings: only the keys that were set.'),
        draft_definition: storedSettings.nullable().describe('The settings of the draft; null when there is none.'),
      })
      .describe('The agent.'),
    references: z
      .array(z.strictObject({ kind, id: z.string().describe('The id of the record.'), name: recordName }))
      .describe('The records that the settings refer to.'),
    secrets: z.array(z.strictObject({ path })).describe('The places where a secret was left out.'),
  })
  .meta({ id: 'AgentFile' });

const place = s.list(s.str());

/** That file, and where its references shall point to. */
export const agentImport = s
  .object({
    format: s.oneOf([fileFormat]).describe('Names the format of the file.'),
    version: z.literal(fileVersion).describe('The version of the format.'),
    exported_at: s.optional(s.datetime()).describe('When the file was made; not used.'),
    agent: s
      .object({
        ...agentFields,
        draft_definition: s.optional(settingsInput).describe('The settings of the draft, if there is one.'),
      })
      .describe('The agent. With `agent_id` only its settings are used.'),
    references: s
      .withDefault(
        s.list(
          s.object({
            kind: s.str().describe('The kind of record, such as `knowledge_base` or `variable`.'),
            id: s.str().describe('The id of the record where the file was made.'),
            name: s.optional(s.str()).describe('The name that a record of this workspace is matched by.'),
          }),
          { max: 10_000 },
        ),
        [],
      )
      .describe('The records that the settings refer to.'),
    secrets: s
      .withDefault(
        s.list(s.object({ path: place.describe('The keys and indexes that lead to the place in the file.') }), {
          max: 10_000,
        }),
        [],
      )
      .describe('The places where a secret was left out.'),
    mapping: s
      .withDefault(z.record(z.string(), s.uuid()), {})
      .describe('Records of this workspace to use in place of those of the file: from id to id.'),
  })
  .meta({ id: 'AgentImport' });

export const importQuery = s.query({
  agent_id: s
    .optional(s.uuid('agent'))
    .describe('The agent that gets the settings as a new version. Without it, an agent is created.'),
});

const importReport = z
  .strictObject({
    mapped: z
      .array(
        z.strictObject({
          kind,
          from: z.string().describe('The id in the file.'),
          to: z.string().describe('The id in this workspace.'),
        }),
      )
      .describe('The references that now name another record.'),
    missing: z
      .array(z.strictObject({ kind, id: z.string().describe('The id in the file.'), name: recordName, path }))
      .describe('The references that were dropped, since no record of this workspace matches.'),
    secrets: z.array(z.strictObject({ path })).describe('The places that need a secret before they work.'),
  })
  .meta({ id: 'AgentImportReport' });

export const importAnswer = z
  .strictObject({
    agent: agent.describe('The agent as it is now.'),
    report: importReport.describe('What became of the references and secrets of the file.'),
    ...warningsField,
  })
  .meta({ id: 'AgentImported' });

export type AgentFile = z.output<typeof agentFile>;
export type AgentImport = z.output<typeof agentImport>;
export type ImportReport = z.output<typeof importReport>;
