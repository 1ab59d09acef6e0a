import type { AnswerOf } from '@atrium/sdk';
import { followTerminal, type TerminalPart } from '@atrium/sdk/follow-terminal.ts';
import { useEffect, useRef, useState } from 'react';
import { describeFailure } from '../../../api/failures.ts';
import { useClient } from '../../../api/session.ts';
import { Screen } from './screen.ts';
import { makeOutputReader } from './show-output.ts';

type Size = Pick<AnswerOf<'terminals.get'>, 'rows' | 'cols'>;

export type PtyState =
  | { name: 'opening' | 'open' | 'lost' }
  | { name: 'ended'; end: Extract<TerminalPart, { event: 'end' }> }
  | { name: 'failed'; fault: string };

/** The most that one request takes. */
const mostTyped = 65_536;

/** A terminal of the person in a sandbox: the one that is open, or else a new one. It goes on when the page is left. */
export function usePty(sandboxId: string, folder: string, size: Size | undefined) {
  const client = useClient();
  const [screen] = useState(() => new Screen(24, 80));
  const [state, setState] = useState<PtyState>({ name: 'opening' });
  /** Moves on with each change of the screen. */
  const [version, setVersion] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const terminalId = useRef<string>(undefined);
  const waiting = useRef('');
  const isSending = useRef(false);
  const isMeasured = size !== undefined;
  const start = useRef({ folder, size });
  start.current = { folder, size };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew.
  useEffect(() => {
    if (!isMeasured) return;
    const control = new AbortController();
    const { signal } = control;
    let frame = 0;
    const show = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setVersion((old) => old + 1);
      });
    };

    async function run(): Promise<void> {
      setState({ name: 'opening' });
      const { items } = await client.terminals.list(sandboxId, { size: 20 }, { signal });
      const { folder: cwd, size: first = { rows: 24, cols: 80 } } = start.current;
      const known = items.find(({ status }) => status === 'open');
      const { id, rows, cols } = known ?? (await client.terminals.open(sandboxId, { ...first, cwd }, { signal }));
      terminalId.current = id;
      screen.reset();
      screen.resize(rows, cols);
      if (rows !== first.rows || cols !== first.cols) {
        screen.resize(first.rows, first.cols);
        await client.terminals.resize(sandboxId, id, first, { signal });
      }
      const read = makeOutputReader(screen);
      const stream = followTerminal(client, sandboxId, id, {
        signal,
        maxRetries: 1 / 0,
        onState: (now) => (now === 'live' || now === 'lost') && setState({ name: now === 'live' ? 'open' : 'lost' }),
      });
      for await (const part of stream) {
        if (part.event === 'end') setState({ name: 'ended', end: part });
        else if (part.event === 'reset') screen.reset();
        else read(part.text);
        show();
      }
    }

    run().catch((error: unknown) => {
      if (!signal.aborted) setState({ name: 'failed', fault: describeFailure(error).title });
    });
    return () => {
      control.abort();
      cancelAnimationFrame(frame);
      terminalId.current = undefined;
    };
  }, [client, sandboxId, screen, isMeasured, attempt]);

  const { rows, cols } = size ?? screen;
  useEffect(() => {
    if (rows === screen.rows && cols === screen.cols) return;
    screen.resize(rows, cols);
    setVersion((old) => old + 1);
    // What comes next is drawn for the size that the program knows; a failure shows in the stream of output too.
    if (terminalId.current) client.terminals.resize(sandboxId, terminalId.current, { rows, cols }).catch(() => {});
  }, [client, sandboxId, screen, rows, cols]);

  /** Sends what is typed, one request after another, so that it arrives in its order. */
  async function type(text: string): Promise<void> {
    waiting.current += text;
    if (isSending.current) return;
    isSending.current = true;
    try {
      while (waiting.current && terminalId.current) {
        const data = waiting.current.slice(0, mostTyped);
        waiting.current = waiting.current.slice(data.length);
        await client.terminals.write(sandboxId, terminalId.current, { data });
      }
    } catch (error) {
      waiting.current = '';
      setState((old) => (old.name === 'ended' ? old : { name: 'failed', fault: describeFailure(error).title }));
    } finally {
      isSending.current = false;
    }
  }

  return { screen, state, version, type, openAgain: () => setAttempt(attempt + 1) };
}
