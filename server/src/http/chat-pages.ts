import type { FastifyInstance } from 'fastify';

/** The public chat pages, as whoever makes them hands them over. */
export interface ChatPages {
  /** Fails as not found when nothing is deployed under this token. */
  page(token: string): Promise<{ html: string; policy: string }>;
  asset(name: 'chat.js' | 'chat.css' | 'markdown.js' | 'embed.js'): Buffer;
}

const script = 'text/javascript; charset=utf-8';

/** Pages for people, not operations of the API: what they do, they do through its public doors. */
export function addChatPages(app: FastifyInstance, { page, asset }: ChatPages): void {
  app.get<{ Params: { token: string } }>('/chat/:token', async ({ params }, reply) => {
    const { html, policy } = await page(params.token);
    return (
      reply
        .header('content-security-policy', policy)
        // The address is a secret: it is not told to the pages that are linked to, and not kept.
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(html)
    );
  });
  app.get<{ Params: { file: string } }>('/embed/:file', async ({ params }, reply) => {
    await page(params.file.replace(/\.js$/, ''));
    return reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'max-age=300')
      .type(script)
      .send(asset('embed.js'));
  });
  for (const name of ['chat.js', 'markdown.js', 'chat.css'] as const)
    app.get(`/chat-assets/${name}`, async (_, reply) =>
      reply
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'max-age=300')
        .type(name.endsWith('.css') ? 'text/css; charset=utf-8' : script)
        .send(asset(name)),
    );
}
