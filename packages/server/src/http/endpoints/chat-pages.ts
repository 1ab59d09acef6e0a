import { hash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

/** The public chat pages, as `features/channels` renders them. */
export interface ChatPages {
  /** Fails as not found when nothing is deployed under this token. */
  page(token: string): Promise<{ html: string; policy: string }>;
  asset(name: 'chat.js' | 'chat.css' | 'markdown.js' | 'embed.js'): Buffer;
}

/** A page for people who follow a link that was changed or switched off; they do not read JSON. */
const gone = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No such chat</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/chat-assets/chat.css">
</head>
<body>
<header><h1>There is no chat here</h1></header>
<main><div id="log"><p class="greeting">The link may have been changed or switched off. Ask whoever gave it to you for a new one.</p></div></main>
</body>
</html>
`;
const asksForPage = (accept: string | undefined) => /\btext\/html\b/.test(accept ?? '');

const script = 'text/javascript; charset=utf-8';

/** Pages for people, which are no operations of the API: their scripts use its public endpoints. */
export function addChatPages(app: FastifyInstance, { page, asset }: ChatPages): void {
  app.get<{ Params: { token: string } }>('/chat/:token', async ({ params, headers }, reply) => {
    const { html, policy, status } = await page(params.token).then(
      (found) => ({ ...found, status: 200 }),
      (error: unknown) => {
        if (!(error instanceof AppError) || error.kind !== 'not_found' || !asksForPage(headers.accept)) throw error;
        return { html: gone, policy: "default-src 'none'; style-src 'self'; img-src data:", status: 404 };
      },
    );
    return (
      reply
        .code(status)
        .header('content-security-policy', policy)
        // The address is a secret: it is not sent as a referrer, and the page is not cached.
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
    app.get(`/chat-assets/${name}`, async ({ headers }, reply) => {
      const bytes = asset(name);
      const etag = `"${hash('sha256', bytes, 'base64url')}"`;
      // Asked about each time: a page of today with the script of yesterday would be worse than slow.
      reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-cache').header('etag', etag);
      if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      return reply.type(name.endsWith('.css') ? 'text/css; charset=utf-8' : script).send(bytes);
    });
}
