import { AtriumError } from '@atrium/sdk';
import { streamCommand } from '@atrium/sdk/stream-command.ts';
import { useEffect, useRef, useState } from 'react';
import { describeFailure } from '../../api/failures.ts';
import { useClient } from '../../api/session.ts';
import { connectionTexts } from '../../text/connections.ts';
import { folderChange, relativeTo } from './paths.ts';
import { addPiece, type Entry, type Language } from './terminal-store.ts';

const words = connectionTexts.terminal;

interface Asked {
  command: string;
  language: Language;
  /** Seconds. */
  timeout: number;
}

/** Commands of one sandbox, one after the other. Leaving the page stops the one that runs. */
export function useTerminal(sandboxId: string, folder: string, onFolder: (folder: string) => void, onEnd: () => void) {
  const client = useClient();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [running, setRunning] = useState(false);
  const control = useRef<AbortController>(undefined);
  const lastId = useRef(0);
  useEffect(() => () => control.current?.abort(), []);

  const change = (id: number, next: (entry: Entry) => Entry) =>
    setEntries((old) => old.map((entry) => (entry.id === id ? next(entry) : entry)));

  /** The shell finds the folder, so that links and `..` mean what they mean there. */
  async function changeFolder(target: string, id: number, signal: AbortSignal): Promise<void> {
    const ask = (command: string, cwd: string) =>
      client.sandboxes.exec(sandboxId, { command, cwd, env: { TARGET: target } }, { signal });
    const began = performance.now();
    const root = (await ask('pwd', '')).stdout.trim();
    const found = target === '~' ? undefined : await ask('cd -- "$TARGET" && pwd', folder);
    const next = found ? relativeTo(root, found.stdout.trim()) : '';
    const isFound = (found?.exit_code ?? 0) === 0 && next !== undefined;
    if (isFound) onFolder(next);
    else change(id, (entry) => addPiece(entry, { stream: 'stderr', text: `${words.noFolder(target)}\n` }));
    const duration_ms = performance.now() - began;
    change(id, (entry) => ({ ...entry, end: { exit_code: isFound ? 0 : 1, reason: 'exit', duration_ms } }));
  }

  async function run({ command, language, timeout }: Asked): Promise<void> {
    if (running || !command.trim()) return;
    const id = ++lastId.current;
    control.current = new AbortController();
    const { signal } = control.current;
    setRunning(true);
    setEntries((old) => [...old.slice(-99), { id, command, language, folder, pieces: [], isCut: false }]);
    try {
      const target = language === 'bash' ? folderChange(command) : undefined;
      if (target !== undefined) return await changeFolder(target, id, signal);
      const asked = { command, language, timeout, cwd: folder };
      for await (const part of streamCommand(client, sandboxId, asked, { signal }))
        change(id, (entry) => (part.event === 'end' ? { ...entry, end: part } : addPiece(entry, part)));
    } catch (error) {
      const isLost = error instanceof AtriumError && error.status === 0;
      const fault = signal.aborted ? words.reasons.stopped : isLost ? words.lost : describeFailure(error).title;
      change(id, (entry) => ({ ...entry, fault }));
    } finally {
      setRunning(false);
      onEnd();
    }
  }

  return { entries, running, run, stop: () => control.current?.abort(), clear: () => setEntries([]) };
}
