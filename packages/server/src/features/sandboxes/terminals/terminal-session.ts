import { AppError } from '@atrium/contract/errors.ts';
import type { TerminalEndReason, TerminalSize } from '@atrium/contract/sandboxes/terminals.ts';
import type { Database } from '../../../db/database.ts';
import type { Command, SandboxEngines, TerminalHandle } from '../../../drivers/sandboxes/driver.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import type { Opened } from '../service.ts';
import { makeOutputLog } from './output-log.ts';
import { endTerminal, type TerminalKey, touchTerminal } from './store.ts';
import { deleteInput, nextInput } from './transfer-store.ts';

interface Needs {
  db: Database;
  engines: Pick<SandboxEngines, 'runTerminal'>;
  log: Log;
  opened: Opened;
  key: TerminalKey;
  size: TerminalSize;
  cwd: string;
  idle_seconds: number;
  /** Tells readers, on every node, that there is more to read. */
  onOutput(): Promise<void>;
  /** Fails when the caller may not use the sandbox any more. */
  authorize(): Promise<void>;
  /** The terminal was used since the last time. */
  onActivity(): Promise<void>;
}

/** A terminal that this node runs. */
export interface TerminalSession {
  readonly sandbox_id: string;
  /** Hands on what was typed since. */
  look(): void;
  end(reason: TerminalEndReason): void;
  /** Resolves when the shell has ended and its end is stored. */
  ended: Promise<void>;
}

/** How often the node says that it runs the terminal; after 20 seconds without, others take it for lost. */
const touchMs = 5000;

/** Runs the shell of a terminal until it ends, and moves what is typed and shown between it and the database. */
export function startTerminalSession(needs: Needs): TerminalSession {
  const { db, engines, log, opened, key, size, cwd } = needs;
  const { driver, ref, row } = opened;
  const ending = new AbortController();
  let reason: TerminalEndReason | undefined;
  let handle: TerminalHandle | undefined;
  let moving: Promise<void> | undefined;
  let lookAgain = false;
  let lastIdle = 0;
  const handedOn = new Set<number>();

  const end = (why: TerminalEndReason) => {
    reason ??= why;
    ending.abort();
  };

  const warn = (event: string) => (error: unknown) => log.warn(event, { terminal_id: key.id, ...errorFields(error) });

  async function handOn(to: TerminalHandle, kind: 'text' | 'size', text: string): Promise<void> {
    if (kind === 'text') return to.write(text);
    const [rows = 0, cols = 0] = text.split(' ').map(Number);
    to.resize({ rows, cols });
  }

  async function moveInput(to: TerminalHandle): Promise<void> {
    // One whose deletion failed is there again. Numbers are no measure: the lower one may be committed later.
    const next = async () => (await nextInput(db, key)).filter(({ seq }) => !handedOn.has(seq));
    for (let waiting = await next(); waiting.length > 0; waiting = await next()) {
      for (const { kind, text, seq } of waiting) {
        if (kind === 'end') return end('stopped');
        handedOn.add(seq);
        await handOn(to, kind, text);
        if (await deleteInput(db, key, seq)) handedOn.delete(seq);
      }
    }
  }

  function look(): void {
    lookAgain = true;
    if (!handle || moving || ending.signal.aborted) return;
    lookAgain = false;
    moving = moveInput(handle)
      // It is tried again when the terminal is next touched.
      .catch(warn('terminal.input_failed'))
      .finally(() => {
        moving = undefined;
        if (lookAgain) look();
      });
  }

  async function touch(): Promise<void> {
    const touched = await touchTerminal(db, key);
    if (!touched) return end('lost');
    await needs.authorize().catch((error: unknown) => {
      // Any other error, such as an unreachable database, says nothing about the caller.
      if (error instanceof AppError) end('stopped');
    });
    const { idle_seconds, is_to_end, sandbox_runs } = touched;
    // Seen here too when a program that does not read holds up what was typed, or the notification of a stop was lost.
    if (is_to_end || !sandbox_runs) return end('stopped');
    if (idle_seconds > needs.idle_seconds) return end('idle');
    // Typing moves the time back to zero.
    if (idle_seconds < lastIdle) await needs.onActivity();
    lastIdle = idle_seconds;
    // A notification may have been lost.
    look();
  }

  async function run(): Promise<void> {
    const output = makeOutputLog(db, key, needs.onOutput);
    const terminal = {
      size,
      attach(given: TerminalHandle) {
        handle = given;
        look();
      },
    };
    const command: Command = { language: 'bash', code: '', cwd, env: {}, stdin: '', terminal };
    const timer = setInterval(() => void touch().catch(warn('terminal.not_touched')), touchMs);
    let exit_code: number | null = null;
    try {
      for await (const piece of engines.runTerminal(driver, ref, command, ending.signal))
        if ('data' in piece) await output.add(piece.data);
        else {
          exit_code = reason ? null : piece.ended.exit_code;
          reason ??= piece.ended.reason;
        }
      await output.close();
    } catch (error) {
      warn('terminal.failed')(error);
      end('lost');
    } finally {
      clearInterval(timer);
    }
    await endTerminal(db, key, { exit_code, reason: reason ?? 'lost' });
    await needs.onOutput();
  }

  const ended = run().catch(warn('terminal.end_not_stored'));
  return { sandbox_id: row.id, look, end, ended };
}
