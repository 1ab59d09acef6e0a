import type { GraphNode } from '../definition/graph.ts';
import type { JournalEvent } from './journal-events.ts';

interface LoopInstance {
  /** How many rounds the loop has; null until that is known. */
  rounds: number | null;
  /** How many of them have begun: rounds begin in order. */
  started: number;
}

/** Counts the rounds of loops from the events of a journal. */
export function makeLoopProgress() {
  /** By the id of the loop, its instances by path: an inner loop has one for each round of the outer one. */
  const loops = new Map<string, Map<string, LoopInstance>>();

  function instanceOf(id: string, path: string): LoopInstance {
    const instances = loops.get(id) ?? new Map<string, LoopInstance>();
    loops.set(id, instances);
    const known = instances.get(path) ?? { rounds: null, started: 0 };
    instances.set(path, known);
    return known;
  }

  function note(event: Extract<JournalEvent, { node: string }>): void {
    const parts = event.node.split('/');
    for (const [index, part] of parts.entries()) {
      const [id = '', round] = part.split('#');
      // Below a node that is no loop begins the graph of another workflow.
      if (round === undefined) break;
      const path = [...parts.slice(0, index), id].join('/');
      const loop = instanceOf(id, path);
      loop.started = Math.max(loop.started, Number(round) + 1);
    }
    const isOwn = parts.slice(0, -1).every((part) => part.includes('#'));
    if (event.type === 'rounds' && isOwn) instanceOf(parts.at(-1) ?? '', event.node).rounds = event.count;
  }

  const instancesOf = (id: string) => [...(loops.get(id)?.values() ?? [])];
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

  const started = (id: string) => sum(instancesOf(id).map((loop) => loop.started));

  /** The rounds of all instances of a loop together; null while none has begun. */
  function announced(id: string): number | null {
    const known = instancesOf(id).flatMap(({ rounds }) => rounds ?? []);
    return known.length > 0 ? sum(known) : null;
  }

  /** How often a node is expected to end. Inner loops that have not begun are taken to be as long as the others. */
  function expected(node: GraphNode): number {
    const { loop } = node.region;
    if (!loop) return 1;
    const known = instancesOf(loop.id).flatMap(({ rounds }) => rounds ?? []);
    return known.length === 0 ? Number.POSITIVE_INFINITY : (sum(known) * expected(loop)) / known.length;
  }

  function outermostOf({ region: { loop } }: GraphNode): GraphNode | undefined {
    return loop && (outermostOf(loop) ?? loop);
  }

  return {
    note,
    started,
    announced,
    outermostOf,
    /** The part of its expected ends that a node has reached, or of a loop that runs the part of its rounds. */
    share(node: GraphNode, ended: number): number {
      if (node.region.loop) return Math.min(1, ended / Math.max(1, expected(node)));
      const rounds = announced(node.id) ?? 0;
      // The last round that began may still run.
      return rounds === 0 ? 0 : Math.max(0, started(node.id) - 1) / rounds;
    },
  };
}
