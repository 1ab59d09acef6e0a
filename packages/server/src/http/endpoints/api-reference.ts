import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { FastifyInstance } from 'fastify';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atrium API reference</title>
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
  url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: false,
  tryItOutEnabled: true, displayRequestDuration: true, defaultModelsExpandDepth: 0, docExpansion: 'list',
});
`;

/** Nothing of the page comes from or goes to another host; the browser holds it to that. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** /openapi.json, and /docs: a page on which every operation can be read and tried. */
export function addReference(app: FastifyInstance, document: () => JsonSchema): void {
  // Made when first asked for: most starts are not followed by a reader, and all should be quick.
  let text: string | undefined;
  app.get('/openapi.json', async (_, reply) => {
    text ??= JSON.stringify(document());
    return reply.type('application/json; charset=utf-8').send(text);
  });

  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };
  for (const [file, type] of Object.entries(files))
    app.get(`/docs/${file}`, async (_, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'max-age=86400')
        .send(createReadStream(join(assets, file))),
    );
  app.get('/docs/start.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(start));
  // Until there is more to see, whoever opens the address in a browser is shown what can be done.
  app.get('/', async (_, reply) => reply.redirect('/docs'));
  app.get('/docs', async (_, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  );
}
