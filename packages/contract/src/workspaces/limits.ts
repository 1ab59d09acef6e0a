import * as z from 'zod';

/** The limits of a workspace and what it uses of them. */
export const workspaceLimits = z
  .strictObject({
    requests_per_minute: z
      .int()
      .describe('Requests a minute of each API key and person without a `rate_limit`. 0: no limit.'),
    streams_per_caller: z
      .int()
      .describe('Open event streams of each API key, person and guest without a `stream_limit`. 0: no limit.'),
    storage: z
      .strictObject({
        quota_bytes: z.int().describe('The bytes that the workspace may keep. 0: no limit.'),
        quota_source: z
          .enum(['workspace', 'server', 'default'])
          .describe(
            'Where the quota comes from: `file_quota_mb` of the workspace, `ATRIUM_WORKSPACE_QUOTA_MB`, or the default of the program.',
          ),
        used_bytes: z.int().describe('All bytes that count: the sum of the following ones.'),
        file_bytes: z.int().describe('Files, those of documents, messages and agents included.'),
        message_bytes: z.int().describe('Messages, as they lie on the disk.'),
        log_bytes: z
          .int()
          .describe('Runs, workflow runs, their logs and prompts, and other texts of people and models.'),
        row_bytes: z.int().describe('Tables with their rows, and the history of the rows.'),
        unmeasured_bytes: z
          .int()
          .describe('Texts and rows that were stored after the last measurement, by their length.'),
        measured_at: z.iso.datetime().nullable().describe('When the bytes were last measured. Null: not yet.'),
        state: z
          .enum(['ok', 'near', 'full', 'over_default'])
          .describe(
            '`near`: 90 % are used. `full`: what does not fit is refused with 409 `quota_reached`. `over_default`: it kept more than the default when the default came; nothing is refused.',
          ),
      })
      .describe('What the workspace may keep, and what it keeps.'),
  })
  .meta({ id: 'GroupLimits' });

export type WorkspaceLimits = z.output<typeof workspaceLimits>;
