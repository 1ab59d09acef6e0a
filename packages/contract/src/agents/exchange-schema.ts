import { z } from 'zod';
import * as s from '../schema/schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { agent, agentFields } from './schema.ts';

export const fileFormat = 'atrium.agent';
export const fileVersion = 1;

const path = z.array(z.string());
/** Settings as stored: only the keys that somebody set, rich texts with the structure their editor gave them. */
const storedSettings = z.record(z.string(), z.unknown());

/** An agent as a file that another workspace or installation can take. */
export const agentFile = z
  .strictObject({
    format: z.literal(fileFormat),
    version: z.literal(fileVersion),
    exported_at: z.iso.datetime(),
    agent: z.strictObject({
      name: z.string(),
      description: z.string().nullable(),
      visible: z.boolean(),
      image_url: z.string().nullable(),
      allow_public_access: z.boolean(),
      definition: storedSettings,
      draft_definition: storedSettings.nullable(),
    }),
    references: z.array(z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() })),
    /** Where a secret was left out. */
    secrets: z.array(z.strictObject({ path })),
  })
  .meta({ id: 'AgentFile' });

const place = s.list(s.str());

/** That file, and where its references shall point to. */
export const agentImport = s
  .object({
    format: s.oneOf([fileFormat]),
    version: z.literal(fileVersion),
    exported_at: s.optional(s.datetime()),
    agent: s.object({ ...agentFields, draft_definition: s.optional(settingsInput) }),
    references: s.withDefault(
      s.list(s.object({ kind: s.str(), id: s.str(), name: s.optional(s.str()) }), { max: 10_000 }),
      [],
    ),
    secrets: s.withDefault(s.list(s.object({ path: place }), { max: 10_000 }), []),
    mapping: s.withDefault(z.record(z.string(), s.uuid()), {}),
  })
  .meta({ id: 'AgentImport' });

export const importQuery = s.query({ agent_id: s.optional(s.uuid('agent')) });

/** Places are those of the file. */
const importReport = z
  .strictObject({
    mapped: z.array(z.strictObject({ kind: z.string(), from: z.string(), to: z.string() })),
    missing: z.array(z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable(), path })),
    secrets: z.array(z.strictObject({ path })),
  })
  .meta({ id: 'AgentImportReport' });

export const importAnswer = z.strictObject({ agent, report: importReport }).meta({ id: 'AgentImported' });

export type AgentFile = z.output<typeof agentFile>;
export type AgentImport = z.output<typeof agentImport>;
export type ImportReport = z.output<typeof importReport>;
