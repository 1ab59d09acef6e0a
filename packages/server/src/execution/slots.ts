/** A place to run in, given back once. */
export interface Slot {
  workspace_id: string;
  release(): void;
}

export interface SlotLimits {
  max_runs: number;
  max_runs_per_workspace: number;
}

/**
 * How many runs a node carries at once, and how many of them one workspace may have. A place is taken before a run is
 * begun, so that a burst of messages can't pass the limit between looking and beginning.
 */
export function makeSlots({ max_runs, max_runs_per_workspace }: SlotLimits) {
  const taken = new Map<string, number>();
  /** When each workspace was last served; whoever waited longest is next. */
  const served = new Map<string, number>();
  let total = 0;
  let turn = 0;

  const hasRoom = (workspace_id: string) => total < max_runs && (taken.get(workspace_id) ?? 0) < max_runs_per_workspace;

  return {
    hasRoom,
    get isFull() {
      return total >= max_runs;
    },

    take(workspace_id: string): Slot | undefined {
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
    },

    /** Of these workspaces, the one with room that was served longest ago. */
    fairest(workspaces: readonly string[]): string | undefined {
      const open = workspaces.filter(hasRoom);
      return open.sort((a, b) => (served.get(a) ?? 0) - (served.get(b) ?? 0))[0];
    },
  };
}

export type Slots = ReturnType<typeof makeSlots>;
