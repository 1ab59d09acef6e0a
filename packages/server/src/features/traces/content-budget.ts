/** How much content a trace may still have. A trace of one step has all of that step's content and nothing else. */
export interface ContentBudget {
  /** Whether content of this step is to be read. */
  wants(step_id: string): boolean;
  /** Whether this content still fits, in which case it counts. */
  admits(step_id: string, content: unknown): boolean;
  /** Some content did not fit: what has to be read first is not read any more. */
  readonly isFull: boolean;
  /** The same budget for a run below, whose steps are named after it. */
  below(run_id: string): ContentBudget;
}

export const noContent: ContentBudget = {
  wants: () => false,
  admits: () => false,
  isFull: false,
  below: () => noContent,
};

const sizeOf = (content: unknown) => JSON.stringify(content)?.length ?? 0;

/** Calls with one id have steps `id`, `id~2` and so on. */
const withoutCount = (step_id: string) => step_id.replace(/~\d+$/, '');

export function makeContentBudget(max_bytes: number, only: string | undefined): ContentBudget {
  const room = { left: max_bytes, isFull: false };
  const within = (prefix: string): ContentBudget => {
    const wanted = only?.startsWith(prefix) ? only.slice(prefix.length) : only;
    return {
      wants: (step_id) => wanted === undefined || wanted === step_id || withoutCount(wanted) === step_id,
      admits(step_id, content) {
        if (!this.wants(step_id)) return false;
        if (wanted !== undefined) return true;
        const size = sizeOf(content);
        if (size > room.left) {
          room.isFull = true;
          return false;
        }
        room.left -= size;
        return true;
      },
      get isFull() {
        return room.isFull;
      },
      below: (run_id) => within(`${prefix}${run_id}/`),
    };
  };
  return within('');
}
