import { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { endReasons, languages, sandboxEngineNames } from './engines.ts';

export const sandboxStatuses = ['creating', 'running', 'stopped', 'error'] as const;
const isolations = ['machine', 'kernel', 'emulated'] as const;

export const sandbox = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    status: z.enum(sandboxStatuses),
    /** What went wrong, when the status is error. */
    error: z.string().nullable(),
    label: z.string(),
    /** Whether its files outlive 15 minutes without any activity. */
    persistent: z.boolean(),
    /** Whether it reaches the public internet. */
    network: z.boolean(),
    engine: z.enum(sandboxEngineNames),
    /** What stands between its code and the machine. */
    isolation: z.enum(isolations),
    /** How the operator would get a better engine; empty when there is none better. */
    advice: z.string(),
    created_at: z.iso.datetime(),
    last_activity: z.iso.datetime(),
  })
  .meta({ id: 'Sandbox' });

export const sandboxCreate = s.object({
  label: s.withDefault(s.str({ max: 255 }), ''),
  persistent: s.withDefault(s.bool(), false),
  network: s.withDefault(s.bool(), false),
});

export const sandboxParams = s.object({ sandbox_id: s.uuid('sandbox') });
export const sandboxQuery = s.query({ ...pageFields, status: s.optional(s.oneOf(sandboxStatuses)) });

const relativePath = s.str({ max: 4096 });

export const execRequest = s.object({
  command: s.str({ min: 1, max: 100_000 }),
  language: s.withDefault(s.oneOf(languages), 'bash'),
  /** Seconds. */
  timeout: s.withDefault(s.int({ ge: 1, le: 600 }), 60),
  cwd: s.withDefault(relativePath, ''),
  env: s.withDefault(s.dict(), {}),
  stdin: s.withDefault(s.str({ max: 1_000_000 }), ''),
  /** Whether the output is to be sent as it comes, as events. */
  stream: s.withDefault(s.bool(), false),
});

export const execAnswer = z
  .strictObject({
    exit_code: z.int().nullable(),
    /** `exit`, or which limit ended it. */
    reason: z.enum(endReasons),
    stdout: z.string(),
    stderr: z.string(),
    /** Whether the middle of the output was left out. */
    truncated: z.boolean(),
    duration_ms: z.int(),
    engine: z.enum(sandboxEngineNames),
    isolation: z.enum(isolations),
  })
  .meta({ id: 'SandboxExecution' });

export const sandboxFile = z
  .strictObject({
    path: z.string(),
    type: z.enum(['file', 'directory', 'link', 'other']),
    size: z.int(),
    modified_at: z.iso.datetime(),
  })
  .meta({ id: 'SandboxFile' });

export const fileListQuery = s.query({ ...pageFields, path: s.withDefault(relativePath, '') });
export const filePathQuery = s.query({ path: s.str({ min: 1, max: 4096 }) });
export const fileWrite = s.object({
  path: s.str({ min: 1, max: 4096 }),
  content: s.str(),
  encoding: s.withDefault(s.oneOf(['utf-8', 'base64']), 'utf-8'),
});

export type Sandbox = z.output<typeof sandbox>;
export type SandboxCreate = z.output<typeof sandboxCreate>;
export type SandboxQuery = z.output<typeof sandboxQuery>;
export type ExecRequest = z.output<typeof execRequest>;
export type ExecAnswer = z.output<typeof execAnswer>;
export type SandboxFile = z.output<typeof sandboxFile>;
export type FileListQuery = z.output<typeof fileListQuery>;
export type FileWrite = z.output<typeof fileWrite>;
