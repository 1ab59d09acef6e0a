import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { notFound } from '@atrium/contract/errors.ts';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { FastifyInstance } from 'fastify';
import type { ReferenceDocument } from './openapi-types.ts';
import { renderReference } from './render-pages.ts';

const tryPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Atrium API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: false, filter: true,
  tryItOutEnabled: true, displayRequestDuration: true, defaultModelsExpandDepth: 0, docExpansion: 'list',
});
`;

/** The browser loads nothing of these pages from another host and sends nothing to one. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** /openapi.json; /docs, a page for each tag on which all fields are described; /docs/try, forms to send requests with. */
export function addReference(
  app: FastifyInstance,
  makeDocument: () => JsonSchema,
  { atRoot }: { atRoot: boolean },
): void {
  // Made at the first request: most starts have no reader, and all should be quick.
  let document: JsonSchema | undefined;
  let text: string | undefined;
  let pages: Map<string, string> | undefined;
  const getDocument = () => {
    document ??= makeDocument();
    return document;
  };
  const getPages = () => {
    pages ??= renderReference(getDocument() as unknown as ReferenceDocument);
    return pages;
  };
  app.get('/openapi.json', { config: { catalogue: true } }, async (_, reply) => {
    text ??= JSON.stringify(getDocument());
    return reply.type('application/json; charset=utf-8').send(text);
  });

  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const own = join(import.meta.dirname, '../../../assets/reference');
  const assets = [
    [swagger, 'swagger-ui.css', 'text/css'],
    [swagger, 'swagger-ui-bundle.js', 'text/javascript'],
    [own, 'reference.css', 'text/css'],
    [own, 'reference.js', 'text/javascript'],
  ] as const;
  for (const [folder, file, type] of assets)
    app.get(`/docs/${file}`, async (_, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', folder === swagger ? 'max-age=86400' : 'no-cache')
        .send(createReadStream(join(folder, file))),
    );
  app.get('/docs/start.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(start));
  if (atRoot) app.get('/', async (_, reply) => reply.redirect('/docs'));
  const showPage = (path: string, makePage: (params: { page?: string }) => string | undefined) =>
    app.get<{ Params: { page?: string } }>(path, async ({ params }, reply) => {
      const html = makePage(params);
      if (html === undefined) throw notFound('page');
      return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
    });
  showPage('/docs', () => getPages().get(''));
  showPage('/docs/try', () => tryPage);
  showPage('/docs/:page', ({ page }) => (page ? getPages().get(page) : undefined));
}
