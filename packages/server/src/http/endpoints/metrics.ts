import { hash, timingSafeEqual } from 'node:crypto';
import { notFound } from '@atrium/contract/errors.ts';
import type { FastifyInstance, FastifyRequest, onResponseHookHandler } from 'fastify';
import { type Aggregator, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MachineMetrics } from '../../lib/machine/machine-metrics.ts';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** What proxies, load balancers and content networks add to what they pass on. */
const forwarding =
  /^(?:(?:x-)?(?:forward|forwarded|proxied|original|scheme|url-scheme|request-id|cloud-trace-context|varnish|envoy|amzn|amz-cf|azure|appengine|arr|proxy|proxyuser|sucuri|real|client|cluster-client|remote|host|vercel|nf|fly|akamai|fastly|cf|cdn|true-client)(?:-.*)?|via|cdn-loop|wl-proxy-.*|z-forwarded-.*|front-end-https|ssl-client-.*)$/;

/** A proxy on this machine also comes from loopback: what it forwards is not local. */
const isLocal = (request: FastifyRequest) =>
  loopback.has(request.socket.remoteAddress ?? '') &&
  !Object.keys(request.headers).some((name) => name !== 'host' && forwarding.test(name));

/** Memory, CPU and garbage collection belong to the process, not to one app in it: they are collected once. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

const digest = (text: string) => hash('sha256', text, 'buffer');

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isLocal(request);
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token)) || isLocal(request);
}

export interface MetricsOptions {
  token: string | undefined;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** Read at each scrape. A reader that fails leaves its value as it was. */
  gauges: readonly {
    name: string;
    help: string;
    label?: string;
    /** How the values of several processes of a machine become one; their sum when absent. */
    aggregator?: Aggregator;
    read(): GaugeValues | Promise<GaugeValues>;
  }[];
  /** The metrics of all processes of the machine, where there are several. */
  machine?: MachineMetrics | undefined;
}
/** A number, or one for each value of the label. */
type GaugeValues = number | Readonly<Record<string, number>>;

function addGauge(
  registry: Registry,
  { name, help, label, aggregator = 'sum', read }: MetricsOptions['gauges'][number],
): void {
  new Gauge({
    ...{ name, help, labelNames: label ? [label] : [], registers: [registry], aggregator },
    async collect() {
      try {
        const values = await read();
        if (typeof values === 'number') this.set(values);
        else for (const [key, value] of Object.entries(values)) this.set({ [label ?? 'kind']: key }, value);
      } catch {
        // The rest of the page matters most when the database is away.
      }
    },
  });
}

/** /metrics in the format of Prometheus, for loopback or a caller with the token; other callers get 404. */
export function addMetricsEndpoint(app: FastifyInstance, { token, pool, gauges, machine }: MetricsOptions): void {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'atrium_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  new Gauge({
    name: 'atrium_database_connections',
    help: 'Connections of this process to the database',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waited_for' }, pool.waitingCount);
    },
  });
  for (const gauge of gauges) addGauge(registry, gauge);
  // One hook for each route, which knows its own name; looking a histogram up by labels costs more than filling it.
  app.addHook('onRoute', (route) => {
    const method = String(route.method);
    const byStatus = new Map<number, { observe(seconds: number): void }>();
    const observe: onResponseHookHandler = (_, reply, done) => {
      const status = reply.statusCode;
      let own = byStatus.get(status);
      if (!own) {
        own = seconds.labels({ method, route: route.url, status });
        byStatus.set(status, own);
      }
      own.observe(reply.elapsedTime / 1000);
      done();
    };
    route.onResponse = [observe, ...[route.onResponse ?? []].flat()];
  });
  const shown = Registry.merge([processMetrics(), registry]);
  machine?.offer(() => shown.getMetricsAsJSON());
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) throw notFound('operation');
    return reply.type(shown.contentType).send(await (machine ? machine.gather() : shown.metrics()));
  });
}
