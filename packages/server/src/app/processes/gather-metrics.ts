import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObject,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** A process that does not answer in this time counts with what it said last. A page waits for the memory. */
const [metricsWithinMs, memoryWithinMs] = [2000, 500];

type Metrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** A process that can be asked for its metrics. */
interface Measured {
  pid: number;
  read(): Promise<unknown>;
}

const failAfter = (ms: number) => new Promise<never>((_, reject) => setTimeout(reject, ms, new Error('late')).unref());

/** Numbers that only grow. What a process has counted stays counted when the process has ended. */
const isLasting = ({ type }: MetricObject) => ['counter', 'histogram', 'summary'].includes(String(type));

/** The busiest process counts: an average would hide it among idle ones. */
const withBusiest = (metrics: Metrics): Metrics =>
  metrics.map((metric) => (metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric));

const sumUp = (parts: readonly Metrics[]) => AggregatorRegistry.aggregate(parts as unknown as object[]);

/** The metrics of this process and of those that it has started, as those of one. */
export function makeMetricsGatherer() {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  const last = new Map<number, Metrics>();
  let ended: Metrics = [];

  async function readChild({ pid, read }: Measured, within_ms: number): Promise<Metrics> {
    const metrics = (await Promise.race([read(), failAfter(within_ms)]).catch(() => last.get(pid) ?? [])) as Metrics;
    last.set(pid, metrics);
    return metrics;
  }

  const readAll = (children: readonly Measured[], within_ms: number): Promise<Metrics[]> =>
    Promise.all([...children.map((child) => readChild(child, within_ms)), own.getMetricsAsJSON()]);

  return {
    async gather(children: readonly Measured[]): Promise<string> {
      const parts = await readAll(children, metricsWithinMs);
      return sumUp([...parts, ended].map(withBusiest)).metrics();
    },

    /** The memory of all processes in bytes. */
    async sumMemory(children: readonly Measured[]): Promise<number> {
      const metrics = (await readAll(children, memoryWithinMs)).flat();
      const memory = metrics.filter(({ name }) => name === 'process_resident_memory_bytes');
      return memory.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0);
    },

    /** Keeps what an ended process has counted, as far as it was read. */
    async retire(pid: number): Promise<void> {
      const metrics = last.get(pid)?.filter(isLasting) ?? [];
      last.delete(pid);
      if (metrics.length > 0) ended = await sumUp([ended, metrics]).getMetricsAsJSON();
    },
  };
}
