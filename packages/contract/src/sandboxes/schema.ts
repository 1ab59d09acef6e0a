import * as z from 'zod';
import { createdAt, groupId } from '../fields.ts';
import { namedFixedList } from '../list-query.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { endReasons, languages, sandboxEngineNames } from './engines.ts';

export const sandboxStatuses = ['creating', 'running', 'stopped', 'error'] as const;
const isolations = ['machine', 'kernel', 'emulated'] as const;

const engine = z.enum(sandboxEngineNames).describe('The engine that runs the code of the sandbox.');
const isolation = z
  .enum(isolations)
  .describe(
    'What separates the code from the host: a `machine` of its own, the `kernel` of the host, or an `emulated` shell without real programs.',
  );

export const sandbox = z
  .strictObject({
    id: z.guid().describe('The id of the sandbox.'),
    group_id: groupId,
    status: z
      .enum(sandboxStatuses)
      .describe('The state of the sandbox. A stopped sandbox starts again when a command runs in it.'),
    error: z.string().nullable().describe('What went wrong when the status is `error`; null otherwise.'),
    label: z.string().describe('The name that the caller gave the sandbox; may be empty.'),
    persistent: z
      .boolean()
      .describe(
        'Whether the files outlive 15 minutes without activity: a persistent sandbox is then stopped, any other is deleted.',
      ),
    network: z.boolean().describe('Whether code in the sandbox reaches the public internet.'),
    engine,
    isolation,
    terminal: z.boolean().describe('Whether a terminal can be opened in the sandbox; else it runs commands only.'),
    advice: z.string().describe('How the operator gets a better engine; empty when there is no better one.'),
    created_at: createdAt,
    last_activity: z.iso.datetime().describe('When the sandbox was last used (ISO 8601, UTC).'),
  })
  .meta({ id: 'Sandbox' });

const bytes = z.int().nullable();
export const sandboxWithUsage = z
  .strictObject({
    ...sandbox.shape,
    disk_bytes: bytes.describe(
      'How many bytes the files take on the disk, as measured in the last seconds. Null when the server that answers does not hold their newest state, when there are too many files to count, and where the engine does not say.',
    ),
    disk_limit_bytes: bytes.describe('How many bytes they may take; null where the engine has no such limit.'),
  })
  .meta({ id: 'SandboxWithUsage' });

export const sandboxCreate = s.object({
  label: s.withDefault(s.str({ max: 255 }), '').describe('A name for the sandbox; empty unless given.'),
  persistent: s
    .withDefault(s.bool(), false)
    .describe('Whether to keep the files when nobody uses the sandbox for 15 minutes; false unless given.'),
  network: s
    .withDefault(s.bool(), false)
    .describe(
      'Whether the sandbox reaches the public internet; false unless given. Refused unless the operator allows it.',
    ),
});

export const sandboxParams = s.object({ sandbox_id: s.uuid('sandbox').describe('The id of the sandbox.') });
export const sandboxQuery = s.query({
  ...namedFixedList(['label', 'created_at'], { search: 'label' }),
  status: s.optional(s.oneOf(sandboxStatuses)).describe('Only sandboxes with this status.'),
});

const relativePath = s.str({ max: 4096 });

export const execRequest = s.object({
  command: s.str({ min: 1, max: 100_000 }).describe('The code to run, at most 100,000 bytes.'),
  language: s.withDefault(s.oneOf(languages), 'bash').describe('The language of the code; `bash` unless given.'),
  timeout: s
    .withDefault(s.int({ ge: 1, le: 600 }), 60)
    .describe('The seconds after which the command is ended; 60 unless given.'),
  cwd: s
    .withDefault(relativePath, '')
    .describe('The directory to run in, below the working directory of the sandbox and without `..`.'),
  env: s.withDefault(s.dict(), {}).describe('Environment variables of the command; every value is a string.'),
  stdin: s
    .withDefault(s.str({ max: 1_000_000 }), '')
    .describe('The standard input of the command; empty unless given.'),
  stream: s
    .withDefault(s.bool(), false)
    .describe('Whether to send the output as server-sent events while the command runs; false unless given.'),
});

export const execAnswer = z
  .strictObject({
    exit_code: z.int().nullable().describe('The exit code of the command. Null when it was killed or never started.'),
    reason: z
      .enum(endReasons)
      .describe('Why the command ended: by itself (`exit`), because it was `stopped`, or at the limit that is named.'),
    stdout: z.string().describe('The standard output; of more than 100,000 bytes the middle is left out.'),
    stderr: z.string().describe('The error output; of more than 100,000 bytes the middle is left out.'),
    truncated: z.boolean().describe('Whether the middle of one of the outputs was left out.'),
    duration_ms: z
      .int()
      .describe('How long the request took in milliseconds, with the wait for other commands of the sandbox.'),
    engine,
    isolation,
  })
  .meta({ id: 'SandboxExecution' });

export const sandboxFile = z
  .strictObject({
    path: z.string().describe('The path below the working directory of the sandbox.'),
    type: z.enum(['file', 'directory', 'link', 'other']).describe('What stands at the path; links are not followed.'),
    size: z.int().describe('The size of the file in bytes.'),
    modified_at: z.iso.datetime().describe('When the content last changed (ISO 8601, UTC).'),
  })
  .meta({ id: 'SandboxFile' });

export const fileListQuery = s.query({
  ...pageFields,
  path: s.withDefault(relativePath, '').describe('The directory to list; the working directory unless given.'),
});
export const filePathQuery = s.query({
  path: s.str({ min: 1, max: 4096 }).describe('The path below the working directory of the sandbox.'),
});
export const fileWrite = s.object({
  path: s
    .str({ min: 1, max: 4096 })
    .describe('The path below the working directory of the sandbox; missing directories are made.'),
  content: s.str().describe('The whole content of the file, in the given encoding.'),
  encoding: s
    .withDefault(s.oneOf(['utf-8', 'base64']), 'utf-8')
    .describe('How `content` is written: as text, or as base64 for other bytes; `utf-8` unless given.'),
});

export type Sandbox = z.output<typeof sandbox>;
export type SandboxWithUsage = z.output<typeof sandboxWithUsage>;
export type SandboxCreate = z.output<typeof sandboxCreate>;
export type SandboxQuery = z.output<typeof sandboxQuery>;
export type ExecRequest = z.output<typeof execRequest>;
export type ExecAnswer = z.output<typeof execAnswer>;
export type SandboxFile = z.output<typeof sandboxFile>;
export type FileListQuery = z.output<typeof fileListQuery>;
export type FileWrite = z.output<typeof fileWrite>;
