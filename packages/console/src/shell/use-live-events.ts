import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { queryClient } from '../api/query-client.ts';
import { useClient, useWorkspace } from '../api/session.ts';
import { reconnectDelay } from './reconnect-delay.ts';

export interface Connection {
  /** `catching-up`: joined again, and what was shown is being loaded again. */
  state: 'joining' | 'live' | 'lost' | 'catching-up';
  /** When the next attempt begins, while the connection is lost. */
  retryAt: number | undefined;
  retry: () => void;
}

/** What is loaded again when something of a kind has changed: the first part of the query keys after the workspace. */
const keysOfKinds: Readonly<Record<string, readonly string[]>> = {
  conversation: ['conversations'],
  run: ['runs', 'conversations'],
  // A request may be about a lock of an agent.
  approval: ['approvals', 'conversations', 'agents'],
  agent: ['agents'],
  agent_version: ['agents'],
  notification: ['notifications'],
};

/** The streams that are open, and a count that begins them anew. */
const open = new Set<AbortController>();
const useRound = create(() => 0);

/** Ends the live events before the session ends: a stream that the server cuts off is an error for the browser. */
export function leaveLiveEvents(): void {
  for (const leaving of open) leaving.abort();
}

/** Takes them up again when the session goes on after all. */
export const rejoinLiveEvents = () => useRound.setState((round) => round + 1, true);

const keysOfKind = (kind: string | null | undefined): readonly string[] =>
  kind ? (keysOfKinds[kind] ?? [`${kind}s`]) : [];

/** Waits, unless something ends the wait earlier. */
function wait(ms: number, signal: AbortSignal, onEarly: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    onEarly(end);
  });
}

/** Follows the workspace's events and marks what they change as old, so that shown lists load again. */
export function useLiveEvents(): Connection {
  const client = useClient();
  const { id } = useWorkspace();
  const [{ state, retryAt }, setConnection] = useState<Omit<Connection, 'retry'>>({
    ...{ state: 'joining', retryAt: undefined },
  });
  const endWait = useRef<() => void>(undefined);
  /** The person pressed "Try now" during an attempt: if it fails, the next one does not wait. */
  const asked = useRef(false);
  const round = useRound();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round joins again.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    open.add(leaving);
    const enter = (next: Connection['state'], at?: number) => {
      if (!signal.aborted) setConnection({ state: next, retryAt: at });
    };
    const refresh = (kinds: readonly string[]) => {
      for (const kind of kinds)
        void queryClient.invalidateQueries({ queryKey: kind === 'notifications' ? [kind] : [id, kind] });
    };
    const catchUp = async () => {
      enter('catching-up');
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [id] }),
        queryClient.invalidateQueries({ queryKey: ['notifications'] }),
      ]);
      enter('live');
    };
    const follow = async () => {
      let lastEventId: string | undefined;
      let failures = 0;
      while (!signal.aborted) {
        const onState = (next: string) => {
          if (next !== 'live') return;
          asked.current = false;
          if (failures > 0) void catchUp();
          else enter('live');
        };
        const stream = client.events({ signal, maxRetries: 0, lastEventId, onState });
        try {
          for await (const event of stream) {
            failures = 0;
            if (event.event === 'reset') void queryClient.invalidateQueries();
            else refresh([event.kind, event.parent?.kind].flatMap(keysOfKind));
          }
        } catch {
          // Lost: what it had read is asked for again from there.
        }
        if (signal.aborted) return;
        lastEventId = stream.lastEventId;
        const ms = asked.current ? 0 : reconnectDelay(failures);
        failures++;
        asked.current = false;
        enter('lost', Date.now() + ms);
        await wait(ms, signal, (end) => {
          endWait.current = end;
        });
        endWait.current = undefined;
      }
    };
    void follow();
    return () => {
      open.delete(leaving);
      leaving.abort();
    };
  }, [client, id, round]);
  const retry = useCallback(() => {
    if (endWait.current) endWait.current();
    else asked.current = true;
  }, []);
  return { state, retryAt, retry };
}
