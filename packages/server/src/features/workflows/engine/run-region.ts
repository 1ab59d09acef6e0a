import type { GraphNode } from '../definition/graph.ts';
import type { Outputs } from '../nodes/define-node.ts';
import { type Instance, inputsOf } from './frame.ts';
import { StepFailed } from './step-failure.ts';

export interface RegionDeps {
  /** Runs one step to its end. Throws a failure that no edge from `on_error` handles. */
  step(node: GraphNode, at: Instance, came: Outputs): Promise<Outputs | null>;
  /** The outputs of a step that has ended before; undefined for others. */
  known(node: GraphNode, at: Instance): Promise<Outputs | null> | Outputs | null | undefined;
  /** The outputs that the caller gave for the step, which then does not run; undefined for others. */
  pinned(node: GraphNode, at: Instance): Outputs | undefined;
  skip(node: GraphNode, at: Instance): void;
  /** Called for an error handler node, which only passes the failure on. */
  handled(node: GraphNode, at: Instance, outputs: Outputs): void;
  /** Called when something in the region has failed, and when the failure was handled. */
  failing(at: Instance, is: boolean): void;
  /** True when the run begins no more steps. */
  isEnding(): boolean;
}

/**
 * Runs the nodes of a region in parallel, each as soon as the nodes that it waits for have ended. After a failure no
 * more steps begin; those under way end, and then the error handler nodes run, or the region fails.
 */
export function runRegion(at: Instance, deps: RegionDeps): Promise<void> {
  const { nodes } = at.region;
  const { only } = at.frame;
  const waits = nodes.map((node) => node.waits);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ready: GraphNode[] = nodes.filter((node) => node.waits === 0);
  const handlers: GraphNode[] = [];
  let active = 0;
  let failure: unknown;
  let handled: StepFailed | undefined;
  let moving = false;

  function settle(node: GraphNode, outputs: Outputs | null): void {
    if (at.ends[node.place] !== undefined) return;
    at.ends[node.place] = outputs;
    for (const follower of node.followers) {
      const left = (waits[follower.place] as number) - 1;
      waits[follower.place] = left;
      if (left === 0) ready.push(follower);
    }
  }

  function skip(node: GraphNode): void {
    if (at.ends[node.place] !== undefined) return;
    settle(node, null);
    deps.skip(node, at);
  }

  function begin(node: GraphNode): void {
    if (at.ends[node.place] !== undefined) return;
    if (node.type.handles_errors) {
      handlers.push(node);
      return;
    }
    const came = only && !only.has(node.id) ? undefined : inputsOf(node, at);
    const known = deps.known(node, at);
    // Most known outputs are in memory and need no await.
    const pinned = known === undefined && came ? deps.pinned(node, at) : undefined;
    if (pinned) settle(node, pinned);
    else if (known !== undefined && !(known instanceof Promise)) settle(node, known);
    else if (known === undefined && !came) skip(node);
    else carryOut(node, known ?? deps.step(node, at, came as Outputs));
  }

  function carryOut(node: GraphNode, work: Promise<Outputs | null>): void {
    active++;
    work
      .then(
        (outputs) => settle(node, outputs),
        (error) => {
          failure ??= error;
          deps.failing(at, true);
        },
      )
      .finally(() => {
        active--;
        move();
      });
  }

  /** Continues after a failure with the error handler nodes and the nodes behind them. */
  function handle(failed: StepFailed): void {
    handled = failed;
    failure = undefined;
    deps.failing(at, false);
    const after = new Set<GraphNode>(handlers);
    for (const node of after) for (const follower of node.followers) after.add(follower);
    for (const node of nodes) if (!after.has(node)) skip(node);
    const error = { ...failed.error, node_id: failed.node_id };
    for (const node of handlers) {
      settle(node, { error });
      deps.handled(node, at, { error });
    }
  }

  /** Nothing awaits this call, so its errors (the journal accepts no more events) end the region like a failure. */
  function move(): void {
    if (moving) return;
    moving = true;
    try {
      goOn();
    } catch (error) {
      failure = error;
      deps.failing(at, true);
      if (active === 0) reject(error);
    } finally {
      moving = false;
    }
  }

  function goOn(): void {
    for (;;) {
      while (ready.length > 0 && failure === undefined && !deps.isEnding()) begin(ready.shift() as GraphNode);
      if (active > 0) break;
      if (failure instanceof StepFailed && handlers.length > 0 && !handled) handle(failure);
      else if (failure !== undefined || deps.isEnding()) {
        reject(failure ?? new StepFailed({ code: 'ended', message: 'The run came to its end' }, ''));
        break;
      } else if (handlers.length > 0 && !handled) {
        for (const node of handlers.splice(0)) skip(node);
      } else {
        if (handled && handlers.some(({ config }) => config['outcome'] === 'failed')) reject(handled);
        else resolve();
        break;
      }
    }
  }

  move();
  return promise;
}
