import type { SandboxEngineName } from '@atrium/contract/sandboxes/engines.ts';
import type { ChosenEngine, Limits, SandboxDriver, SandboxEngines } from './driver.ts';
import { limited } from './limit-command.ts';

/** Makes the engines that are configured. */
export type EngineMakers = Partial<Record<SandboxEngineName, () => SandboxDriver>>;

interface Options {
  limits: Limits;
  makers: EngineMakers;
  /** Tried in this order; the first that passes its self-test is used. */
  order: readonly SandboxEngineName[];
}

const better = '`npm run doctor` says how to get an engine with real programs and the isolation of a kernel';
/** A failed self-test is repeated after this time, since its cause may be gone. */
const retryMs = 30_000;

/** Without input a terminal ends long before. */
const longestTerminalMs = 12 * 3_600_000;

export function makeEngines({ limits, makers, order }: Options): SandboxEngines {
  const drivers = new Map<SandboxEngineName, SandboxDriver>();
  let testing: Promise<ChosenEngine> | undefined;
  let found: ChosenEngine | undefined;
  let testedAt = 0;

  function driver(engine: SandboxEngineName): SandboxDriver | undefined {
    const known = drivers.get(engine) ?? makers[engine]?.();
    if (known) drivers.set(engine, known);
    return known;
  }

  async function choose(): Promise<ChosenEngine> {
    const failures: string[] = [];
    let last: ChosenEngine | undefined;
    for (const engine of order) {
      const probe = await driver(engine)?.probe();
      if (!probe) continue;
      const advice = probe.isolation === 'emulated' ? [...failures, better].join('; ') : '';
      last = { ...probe, engine, advice };
      if (probe.usable) return last;
      failures.push(`${engine}: ${probe.note}`);
    }
    if (!last) throw new Error('No engine for sandboxes is configured');
    return { ...last, advice: failures.join('; ') };
  }

  return {
    limits,
    chosen() {
      const stale = found !== undefined && !found.usable && Date.now() - testedAt > retryMs;
      if (!testing || stale) {
        found = undefined;
        testing = choose().then((chosen) => {
          [found, testedAt] = [chosen, Date.now()];
          return chosen;
        });
        testing.catch(() => {
          testing = undefined;
        });
      }
      return testing;
    },
    known: () => found,
    driver,
    exec: (own, ref, command, wall_ms, signal) =>
      limited(
        own,
        ref,
        command,
        { wall_ms: Math.min(wall_ms, limits.wall_ms), output_bytes: limits.output_bytes },
        signal,
      ),
    runTerminal: (own, ref, command, signal) =>
      limited(own, ref, command, { wall_ms: longestTerminalMs, output_bytes: limits.output_bytes }, signal),
    async close() {
      await Promise.all([...drivers.values()].map((each) => each.close()));
    },
  };
}
