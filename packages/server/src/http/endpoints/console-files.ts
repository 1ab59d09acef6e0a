import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding } from '../compress-answers.ts';
import { type Files, findFile, makeConsoleReader } from './read-console.ts';

const types: Readonly<Record<string, string>> = {
  ...{
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
  },
  ...{
    '.json': 'application/json; charset=utf-8',
    '.webmanifest': 'application/manifest+json',
    '.svg': 'image/svg+xml',
  },
  ...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp', '.ico': 'image/x-icon' },
  ...{ '.woff2': 'font/woff2', '.wasm': 'application/wasm', '.txt': 'text/plain; charset=utf-8' },
};

/** The build writes only files with a hash of their content in the name there, such as `main-Bx3k9QaZ.js`. */
const isHashed = (path: string) => path.startsWith('/assets/');

const policyWith = (nonce: string) =>
  [
    ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' blob: data:"],
    ...["font-src 'self'", "connect-src 'self'", "worker-src 'self'", "frame-src 'self'", "frame-ancestors 'none'"],
    ...["base-uri 'none'", "form-action 'self'"],
  ].join('; ');

/** The page with a nonce that is used once, where its scripts read it. */
export function writeNonce(html: string, nonce: string): string {
  const meta = `<meta property="csp-nonce" nonce="${nonce}">`;
  const known = /<meta property="csp-nonce"[^>]*>/;
  return known.test(html) ? html.replace(known, meta) : html.replace(/<head[^>]*>/, (head) => head + meta);
}

/** Paths of the API and of other pages: what is not found there is answered as an error, never with a page. */
const isReserved = (path: string) => /^\/(?:v1|scim|mcp|docs|chat|embed)(?:\/|$)/.test(path);

/** The files are read this long after the server listens, unless they are asked for before: a start does not wait for it. */
const readAfter_ms = 1000;

/**
 * Serves the built console. Its files are read once, all together, so no path leads out of the folder. Other
 * addresses that a browser opens show the console's page, which reads the address itself. False when there is no console.
 */
export function addConsoleFiles(app: FastifyInstance, folder: string): boolean {
  if (!existsSync(join(folder, 'index.html'))) return false;
  const read = makeConsoleReader(folder);
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setTimeout(() => read().catch(() => {}), readAfter_ms).unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
  const etags = new Map<string, string>();

  /** Files do not change while they are served. */
  const etagOf = (name: string, read: () => Buffer): string => {
    const known = etags.get(name) ?? `"${hash('sha256', read(), 'base64url').slice(0, 22)}"`;
    etags.set(name, known);
    return known;
  };

  const sendPage = (reply: FastifyReply, page: string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', policyWith(nonce))
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(writeNonce(page, nonce));
  };

  const sendFile = (
    { request, reply, files }: { request: FastifyRequest; reply: FastifyReply; files: Files },
    path: string,
    whole: () => Buffer,
  ) => {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const name = encoding ? `${path}.${encoding === 'gzip' ? 'gz' : encoding}` : path;
    const packed = encoding && files.get(name);
    const content = packed ? () => packed : whole;
    const etag = etagOf(packed ? name : path, content);
    reply
      .header('cache-control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type(types[extname(path)] ?? 'application/octet-stream');
    return (packed ? reply.header('content-encoding', encoding) : reply).send(content());
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (isReserved(path)) return reply.callNotFound();
    const { files, page } = await read();
    // Pages are sent with a policy, never as files: the console's below, the visitors' by the endpoint of their chat.
    const found = path.endsWith('.html') ? undefined : findFile(files, path);
    if (found) return sendFile({ request, reply, files }, path, found);
    const isPage = /\btext\/html\b/.test(request.headers.accept ?? '');
    return path === '/' || path === '/index.html' || isPage ? sendPage(reply, page) : reply.callNotFound();
  };
  app.get('/', async (request, reply) => answer(request, reply));
  app.get('/*', async (request, reply) => answer(request, reply));
  return true;
}
