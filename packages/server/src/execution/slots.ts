/** The right to execute one run on this node. `release` has an effect once. */
export interface Slot {
  workspace_id: string;
  release(): void;
}

export interface SlotLimits {
  max_runs: number;
  max_runs_per_workspace: number;
}

/** The pool of slots that agent runs and workflow runs of this node share. */
export interface Slots {
  readonly isFull: boolean;
  /** How many slots are taken. */
  readonly running: number;
  /** Undefined when the node or the workspace has no slot left. */
  take(workspace_id: string): Slot | undefined;
  /** A slot of the pool, or one beyond its limits: for a run that another run waits for, or that has started before. */
  takeExtra(workspace_id: string): Slot;
  /** Of these workspaces, the one with a free slot that was served longest ago. */
  fairest(workspaces: readonly string[]): string | undefined;
  /** Calls every listener: a run has ended, so a waiting run of any kind may start. */
  notifyFree(): void;
  onFree(listener: () => void): void;
}

/**
 * Limits how many runs this node executes at once, in total and per workspace. A slot is taken before a run starts, so
 * that a burst of requests cannot pass the limit between the check and the start.
 */
export function makeSlots({ max_runs, max_runs_per_workspace }: SlotLimits): Slots {
  const taken = new Map<string, number>();
  /** The turn in which each workspace was last served. */
  const served = new Map<string, number>();
  const listeners: (() => void)[] = [];
  let total = 0;
  let turn = 0;

  const hasRoom = (workspace_id: string) => total < max_runs && (taken.get(workspace_id) ?? 0) < max_runs_per_workspace;

  function take(workspace_id: string): Slot | undefined {
    if (!hasRoom(workspace_id)) return undefined;
    total++;
    taken.set(workspace_id, (taken.get(workspace_id) ?? 0) + 1);
    served.set(workspace_id, ++turn);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      total--;
      const left = (taken.get(workspace_id) ?? 1) - 1;
      if (left > 0) taken.set(workspace_id, left);
      else taken.delete(workspace_id);
    };
    return { workspace_id, release };
  }

  return {
    take,
    takeExtra: (workspace_id) => take(workspace_id) ?? { workspace_id, release() {} },
    get running() {
      return total;
    },
    get isFull() {
      return total >= max_runs;
    },

    fairest(workspaces) {
      const open = workspaces.filter(hasRoom);
      return open.sort((a, b) => (served.get(a) ?? 0) - (served.get(b) ?? 0))[0];
    },

    onFree: (listener) => void listeners.push(listener),

    notifyFree() {
      // Rotate the listeners, so that agent runs and workflow runs cannot starve each other.
      const first = listeners.shift();
      if (first) listeners.push(first);
      for (const listener of listeners) listener();
    },
  };
}
