import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';

const paths = new Set(['/health', '/ready', '/metrics']);

/** Serves what probes and scrapers read of a process that serves no API, on a port of its own. */
export async function serveHealth(app: FastifyInstance, address: { host: string; port: number }) {
  await app.ready();
  const server = createServer((request, response) => {
    if (paths.has(request.url?.split('?', 1)[0] ?? '')) app.routing(request, response);
    else response.writeHead(404, { connection: 'close' }).end();
  });
  await once(server.listen(address), 'listening');
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
