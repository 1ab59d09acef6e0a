import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from './chaos-nodes.ts';

type Node = ChaosNodes['nodes'][number];
type Fault = (node: Node, chaos: ChaosNodes, ms: number) => Promise<void>;

/** What happens to a node, or to all; each ends healed. `ms` is how long it lasts, where it lasts. */
const faults: Record<string, Fault> = {
  async kill(node, chaos) {
    await node.server.kill();
    await chaos.revive(node);
  },
  async 'rolling restart'(node, chaos) {
    await node.server.stop();
    await chaos.revive(node);
  },
  async pause(node, _, ms) {
    node.server.child.kill('SIGSTOP');
    await sleep(ms);
    node.server.child.kill('SIGCONT');
  },
  async 'black hole'(node, _, ms) {
    node.proxy.swallow('all');
    await sleep(ms);
    node.proxy.swallow('none');
  },
  async 'deaf notifier'(node, _, ms) {
    node.proxy.swallow('notifier');
    await sleep(ms);
    node.proxy.swallow('none');
  },
  async 'late network'(node, _, ms) {
    node.proxy.delay(80);
    await sleep(ms);
    node.proxy.delay(0);
  },
  async 'cut connections'(node) {
    node.proxy.cut();
  },
  async 'restart of PostgreSQL'(_, chaos) {
    await chaos.restartPostgres();
  },
  async 'fail-over'(_, chaos) {
    await chaos.failOver();
  },
  async 'stumbling store'(_, chaos, ms) {
    const ways = ['lost', 'cut', { status: 503, code: 'SlowDown' }, { status: 500 }] as const;
    const until = Date.now() + ms / 2;
    for (let request = 0; request < 20; request++)
      chaos.store.fail(() => Date.now() < until, ways[request % ways.length] ?? 'lost');
    await sleep(ms / 2);
  },
};

interface FaultPlan {
  seconds: number;
  random: () => number;
  kinds?: string[] | undefined;
  /** False when a client has failed already: the fault under way is healed, and no other comes. */
  goesOn(): boolean;
  /** Called with what happens, in words. */
  note(text: string): void;
}

/** Lets faults happen until the time is over, one at a time, each kind before any comes again; how often each did. */
export async function letFaultsHappen(chaos: ChaosNodes, plan: FaultPlan): Promise<Record<string, number>> {
  const { seconds, random, kinds = Object.keys(faults), goesOn, note } = plan;
  const happened: Record<string, number> = {};
  let left: string[] = [];
  const begun = Date.now();
  for (const end = begun + seconds * 1000; Date.now() < end && goesOn(); await sleep(200 + random() * 1500)) {
    if (left.length === 0) left = [...kinds];
    const [kind = 'kill'] = left.splice(Math.floor(random() * left.length), 1);
    const number = Math.floor(random() * chaos.nodes.length);
    const at = Date.now();
    await faults[kind]?.(chaos.nodes[number] as Node, chaos, 1000 + random() * 13_000);
    note(`${new Date(at).toISOString()} ${kind}, node ${number}, ${Date.now() - at} ms`);
    happened[kind] = (happened[kind] ?? 0) + 1;
  }
  return happened;
}
