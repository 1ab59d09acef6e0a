import type { FastifyInstance } from 'fastify';

export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

/** Paths that need no key: whether the program lives, and whether it can work. */
export function addHealthEndpoints(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  app.get('/health', async () => ({ status: 'ok' }));
  app.get('/ready', async (_, reply) => {
    const { ready, checks } = await readiness();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', ...checks });
  });
}
