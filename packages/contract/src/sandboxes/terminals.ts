import * as z from 'zod';
import { createdAt } from '../fields.ts';
import { timedList } from '../list-query.ts';
import * as s from '../schema/schema.ts';
import { endReasons } from './engines.ts';

/** `idle`: no input for 15 minutes. `lost`: the process that ran the terminal is gone. */
export const terminalEndReasons = [...endReasons, 'idle', 'lost'] as const;

const rows = s.int({ ge: 2, le: 500 });
const cols = s.int({ ge: 2, le: 1000 });

export const terminal = z
  .strictObject({
    id: z.guid().describe('The id of the terminal.'),
    sandbox_id: z.guid().describe('The sandbox that it runs in.'),
    status: z.enum(['open', 'ended']).describe('Whether the shell of the terminal runs.'),
    rows: z.int().describe('The lines of the screen.'),
    cols: z.int().describe('The characters in a line of the screen.'),
    exit_code: z.int().nullable().describe('The exit code of the shell; null while it runs, and when it was ended.'),
    reason: z
      .enum(terminalEndReasons)
      .nullable()
      .describe(
        'Why it ended: the shell did by itself (`exit`), it was `stopped`, it had no input for 15 minutes (`idle`), the process that ran it is gone (`lost`), or the limit that is named. Null while it is open.',
      ),
    created_at: createdAt,
    last_input_at: z.iso.datetime().describe('When something was last typed (ISO 8601, UTC).'),
  })
  .meta({ id: 'SandboxTerminal' });

export const terminalOpen = s.object({
  rows: s.withDefault(rows, 24).describe('The lines of the screen; 24 unless given.'),
  cols: s.withDefault(cols, 80).describe('The characters in a line of the screen; 80 unless given.'),
  cwd: s
    .withDefault(s.str({ max: 4096 }), '')
    .describe('The directory that the shell starts in, below the working directory of the sandbox and without `..`.'),
});

export const terminalInput = s.object({
  data: s
    .str({ min: 1, max: 65_536 })
    .describe('What is typed, as a terminal sends it: `\\r` is the return key, `\\u0003` is Ctrl C.'),
});

export const terminalSize = s.object({
  rows: rows.describe('The lines of the screen.'),
  cols: cols.describe('The characters in a line of the screen.'),
});

/** What an event of the output has as its data; which of the fields is there depends on the event. */
export const terminalOutput = z
  .strictObject({
    text: z.string().optional().describe('Event `output`: what the terminal shows next, with its control sequences.'),
    exit_code: z
      .int()
      .nullable()
      .optional()
      .describe('Event `end`: the exit code of the shell; null when it was ended.'),
    reason: z.enum(terminalEndReasons).optional().describe('Event `end`: why the terminal ended.'),
  })
  .meta({ id: 'SandboxTerminalOutput' });

export const terminalParams = s.object({
  sandbox_id: s.uuid('sandbox').describe('The id of the sandbox.'),
  terminal_id: s.uuid('terminal').describe('The id of the terminal.'),
});

export const terminalQuery = s.query({ ...timedList() });

export const terminalOutputQuery = s.query({
  last_event_id: s
    .optional(s.str({ max: 20 }))
    .describe('The id of the last event that was read, where the header `Last-Event-ID` can not be sent.'),
});

export type Terminal = z.output<typeof terminal>;
export type TerminalOpen = z.output<typeof terminalOpen>;
export type TerminalSize = z.output<typeof terminalSize>;
export type TerminalQuery = z.output<typeof terminalQuery>;
export type TerminalEndReason = (typeof terminalEndReasons)[number];
