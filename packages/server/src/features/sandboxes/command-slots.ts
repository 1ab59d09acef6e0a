/** A slot to run a command in; it is released once. */
export interface Lane {
  release(): void;
}

interface Waiter {
  workspace_id: string;
  sandbox_id: string;
  go(lane: Lane | undefined): void;
}

const mostWaiting = 1_000;

/**
 * Limits how many commands run at once. A sandbox runs one command at a time. The next slot goes to the waiting
 * workspace with the fewest running commands, so that a workspace which sends many waits only for itself.
 */
export function makeCommandSlots(most: number): Lanes {
  const waiting: Waiter[] = [];
  const busy = new Set<string>();
  const perWorkspace = new Map<string, number>();
  const idle = new Map<string, PromiseWithResolvers<void>>();
  const running = (workspace_id: string) => perWorkspace.get(workspace_id) ?? 0;

  function enter({ workspace_id, sandbox_id }: Waiter): Lane {
    busy.add(sandbox_id);
    perWorkspace.set(workspace_id, running(workspace_id) + 1);
    let released = false;
    return {
      release() {
        if (released) return;
        released = true;
        busy.delete(sandbox_id);
        idle.get(sandbox_id)?.resolve();
        idle.delete(sandbox_id);
        if (running(workspace_id) > 1) perWorkspace.set(workspace_id, running(workspace_id) - 1);
        else perWorkspace.delete(workspace_id);
        next();
      },
    };
  }

  function next(): void {
    while (busy.size < most) {
      const ready = waiting.filter(({ sandbox_id }) => !busy.has(sandbox_id));
      const [first] = ready.sort((a, b) => running(a.workspace_id) - running(b.workspace_id));
      if (!first) return;
      waiting.splice(waiting.indexOf(first), 1);
      first.go(enter(first));
    }
  }

  return {
    take(workspace_id: string, sandbox_id: string, wait_ms: number, signal: AbortSignal): Promise<Lane | undefined> {
      if (signal.aborted || waiting.length >= mostWaiting) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const give = () => {
          const index = waiting.indexOf(waiter);
          if (index !== -1) waiting.splice(index, 1);
          waiter.go(undefined);
        };
        const timer = setTimeout(give, wait_ms);
        const waiter: Waiter = {
          workspace_id,
          sandbox_id,
          go(lane) {
            clearTimeout(timer);
            signal.removeEventListener('abort', give);
            resolve(lane);
          },
        };
        signal.addEventListener('abort', give);
        waiting.push(waiter);
        next();
      });
    },

    async idle(sandbox_id: string): Promise<void> {
      if (!busy.has(sandbox_id)) return;
      const waited = idle.get(sandbox_id) ?? Promise.withResolvers<void>();
      idle.set(sandbox_id, waited);
      await waited.promise;
    },
  };
}

export interface Lanes {
  /** Undefined when no slot became free in time, or the signal aborted first. */
  take(workspace_id: string, sandbox_id: string, wait_ms: number, signal: AbortSignal): Promise<Lane | undefined>;
  /** Resolves when no command runs in the sandbox. */
  idle(sandbox_id: string): Promise<void>;
}
