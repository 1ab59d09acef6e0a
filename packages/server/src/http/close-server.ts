import type { FastifyInstance } from 'fastify';

const lookEvery = 50;

/**
 * Stops listening and waits for what is being answered. Connections are closed as they fall silent, since a client may
 * keep one for a minute after its last answer; those still busy after the grace are cut.
 */
export async function closeServer(app: FastifyInstance, grace = 10_000): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), lookEvery);
  const cut = setTimeout(() => app.server.closeAllConnections(), grace);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
