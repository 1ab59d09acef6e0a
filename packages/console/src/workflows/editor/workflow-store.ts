import { createStore } from 'zustand';
import { sameJson } from '../../forms/field-values.ts';
import type { Graph } from '../graph/graph-types.ts';
import { type History, noHistory, stepBack, stepForth, withCommand } from '../graph/history.ts';
import type { PlacedFault } from '../graph/place-faults.ts';
import { readGraph } from '../graph/read-graph.ts';
import type { Loaded, Workflow } from '../queries.ts';

type SaveStatus = 'saved' | 'waiting' | 'saving' | 'offline' | 'failed' | 'conflict';
export interface Conflict {
  theirs: Loaded;
  by: string | undefined;
  at: string | undefined;
}
export interface WorkflowState extends History {
  workflow: Workflow;
  /** As the server has it: the draft, or what is published. */
  base: Graph;
  /** What is shown, with what is not saved yet. */
  graph: Graph;
  /** The chosen steps and remarks; the first is the one that keys act on. */
  chosen: readonly string[];
  /** What is wrong with the graph as it was last checked. */
  faults: readonly PlacedFault[];
  status: SaveStatus;
  failure: unknown;
  conflict: Conflict | undefined;
}

interface Ports {
  save(graph: Graph, etag: string): Promise<Workflow>;
  load(): Promise<Loaded>;
  /** The browser's copy of what is not saved; an empty text when all is. */
  keep(text: string): void;
  kept(): string;
  /** How long changes are gathered before they are sent, in milliseconds. */
  pause?: number;
}
interface Failed {
  status?: number;
  code?: string;
  body?: { updated_at?: string; updated_by_actor?: { name?: string | null } | null };
}

/** Etags rise: `<ms>-<seq>`. An answer that began before the last save may come after it. */
function isOlder(one: string, other: string): boolean {
  const read = (etag: string) => etag.replaceAll('"', '').split('-').map(Number);
  const [[ms = 0, seq = 0], [otherMs = 0, otherSeq = 0]] = [read(one), read(other)];
  return ms < otherMs || (ms === otherMs && seq < otherSeq);
}

function readKept(text: string): { etag: string; graph: Graph } | undefined {
  try {
    const { etag, graph } = JSON.parse(text || '{}');
    return Array.isArray(graph?.nodes) && Array.isArray(graph?.edges) ? { etag, graph: readGraph(graph) } : undefined;
  } catch {
    return undefined;
  }
}

export type WorkflowStore = ReturnType<typeof makeWorkflowStore>;

/** A workflow while it is edited: every change is kept in the browser at once and saved as the draft within a second. */
export function makeWorkflowStore(first: Loaded, ports: Ports) {
  const { pause = 600 } = ports;
  const begun = readGraph(first.definition);
  const store = createStore<WorkflowState>(() => ({
    ...{ workflow: first.workflow, base: begun, graph: begun, chosen: [], faults: [], ...noHistory },
    ...{ status: 'saved', failure: undefined, conflict: undefined },
  }));
  const { getState, setState } = store;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;
  let attempts = 0;

  const isPending = () => !sameJson(getState().graph, getState().base);
  const plan = (ms = pause) => {
    timer ??= setTimeout(() => void flush(), ms);
  };
  function keep(): void {
    const { graph, workflow } = getState();
    ports.keep(isPending() ? JSON.stringify({ etag: workflow.etag, graph }) : '');
  }
  /** Steps that are gone can't stay chosen. */
  const stillThere = (ids: readonly string[], { nodes, comments = [] }: Graph) =>
    ids.filter((id) => nodes.some((step) => step.id === id) || comments.some((remark) => remark.id === id));

  function show(graph: Graph, history: History): void {
    setState(({ chosen, conflict }) => ({
      ...{ graph, ...history, chosen: stillThere(chosen, graph), failure: undefined },
      status: conflict ? 'conflict' : 'waiting',
    }));
    keep();
    if (isPending() || saving) plan();
    else setState({ status: 'saved' });
  }

  function settle({ workflow, definition }: Loaded, sent: Graph): void {
    attempts = 0;
    const isAll = getState().graph === sent;
    const base = isAll ? sent : readGraph(definition);
    setState({ workflow, base, status: isAll ? 'saved' : 'waiting', failure: undefined });
    keep();
    if (!isAll) plan();
  }

  async function meetConflict(sent: Graph, body: Failed['body']): Promise<void> {
    const theirs = await ports.load();
    // The answer to an earlier save was lost on its way: the server has it.
    if (sameJson(readGraph(theirs.definition), sent)) return settle(theirs, sent);
    const { draft, updated_by_actor, updated_at } = theirs.workflow;
    const by = body?.updated_by_actor?.name ?? draft?.by_actor?.name ?? updated_by_actor?.name ?? undefined;
    setState({ status: 'conflict', conflict: { theirs, by, at: body?.updated_at ?? updated_at } });
  }

  async function meetFailure(error: unknown, sent: Graph): Promise<void> {
    const { status, code, body } = error as Failed;
    if (code === 'etag_mismatch') return meetConflict(sent, body);
    if (status === undefined || [0, 429, 502, 503, 504].includes(status)) {
      setState({ status: 'offline', failure: error });
      plan(Math.min(15_000, 500 * 2 ** attempts++));
    } else setState({ status: 'failed', failure: error });
  }

  async function send(): Promise<void> {
    const { graph, workflow, conflict } = getState();
    if (conflict || !isPending()) return;
    setState({ status: 'saving' });
    try {
      settle({ workflow: await ports.save(graph, workflow.etag), definition: graph as never }, graph);
    } catch (error) {
      await meetFailure(error, graph).catch((failure) => setState({ status: 'failed', failure }));
    }
  }

  /** Saves what waits now; resolves when nothing is under way. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (saving) return saving.then(flush);
    saving = send();
    await saving;
    saving = undefined;
    if (getState().status === 'waiting' && isPending()) plan();
  }

  const kept = readKept(ports.kept());
  if (kept && !sameJson(kept.graph, begun)) {
    setState({ graph: kept.graph, status: 'waiting' });
    if (kept.etag === first.workflow.etag) plan(0);
    else void meetConflict(kept.graph, undefined).catch(() => plan());
  }

  return {
    ...store,
    /** Changes the graph by a command with a name. `place`: where it is typed, so that one word is one command. */
    change(name: string, after: Graph, place?: string): void {
      const { graph: before, past, future } = getState();
      if (after === before) return;
      show(after, withCommand({ past, future }, { name, before, after, place, at: Date.now() }));
    },
    undo(): string | undefined {
      const name = getState().past.at(-1)?.name;
      const back = stepBack(getState());
      if (back) show(back.graph, back.history);
      return name;
    },
    redo(): string | undefined {
      const name = getState().future.at(-1)?.name;
      const forth = stepForth(getState());
      if (forth) show(forth.graph, forth.history);
      return name;
    },
    choose: (ids: readonly string[]) => setState({ chosen: ids }),
    flush,
    /** A newer state from the server. What waits here stays; the save then tells of the conflict. */
    adopt(loaded: Loaded): void {
      const { workflow, conflict, base, chosen } = getState();
      if (saving || conflict || isOlder(loaded.workflow.etag, workflow.etag)) return;
      if (loaded.workflow.etag === workflow.etag) {
        if (loaded.workflow !== workflow) setState({ workflow: loaded.workflow });
        return;
      }
      if (isPending()) return;
      const next = readGraph(loaded.definition);
      if (sameJson(next, base)) setState({ workflow: loaded.workflow });
      else
        setState({
          ...{ workflow: loaded.workflow, base: next, graph: next, chosen: stillThere(chosen, next) },
          ...{ ...noHistory, status: 'saved', failure: undefined },
        });
    },
    /** After publishing, discarding or going back: what the server has now, with nothing to undo. */
    restart(loaded: Loaded): void {
      const base = readGraph(loaded.definition);
      setState({ workflow: loaded.workflow, base, graph: base, ...noHistory, status: 'saved', failure: undefined });
      keep();
    },
    /** After a conflict: saves mine over theirs, or takes theirs. */
    async resolve(choice: 'mine' | 'theirs'): Promise<void> {
      const { conflict } = getState();
      if (!conflict) return;
      const { workflow, definition } = conflict.theirs;
      const base = readGraph(definition);
      if (choice === 'theirs') {
        setState({ workflow, base, graph: base, ...noHistory, conflict: undefined, status: 'saved' });
        keep();
        return;
      }
      setState({ workflow, base, conflict: undefined, status: 'waiting' });
      keep();
      await flush();
    },
  };
}
