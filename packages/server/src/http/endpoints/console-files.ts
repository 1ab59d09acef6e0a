import { hash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding } from '../compress-answers.ts';

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

/** The files of a built folder by their paths in addresses. Links are left out: they may lead out of the folder. */
function readFiles(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  // Three quarters of the memory would be texts that hardly any client takes uncompressed.
  const kept = [...paths].filter((path) => !paths.has(`${path}.gz`));
  return new Map(kept.map((path) => [`/${path.split(sep).join('/')}`, readFileSync(join(folder, path))]));
}

/** A file as it was before it was compressed. */
function findFile(files: ReadonlyMap<string, Buffer>, path: string): (() => Buffer) | undefined {
  const [plain, packed] = [files.get(path), files.get(`${path}.gz`)];
  if (plain) return () => plain;
  return packed && (() => gunzipSync(packed));
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
  let files: Map<string, Buffer> | undefined;
  let page: string | undefined;
  const read = () => {
    files ??= readFiles(folder);
    return files;
  };
  const readPage = () => {
    page ??= String(findFile(read(), '/index.html')?.());
    return page;
  };
  app.addHook('onListen', async () => void setTimeout(read, readAfter_ms).unref());
  const etags = new Map<string, string>();

  /** Files do not change while they are served. */
  const etagOf = (name: string, read: () => Buffer): string => {
    const known = etags.get(name) ?? `"${hash('sha256', read(), 'base64url').slice(0, 22)}"`;
    etags.set(name, known);
    return known;
  };

  const sendPage = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', policyWith(nonce))
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(writeNonce(readPage(), nonce));
  };

  const sendFile = (request: FastifyRequest, reply: FastifyReply, path: string, whole: () => Buffer) => {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const name = encoding ? `${path}.${encoding === 'gzip' ? 'gz' : encoding}` : path;
    const packed = encoding && read().get(name);
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

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    // Pages are sent with a policy, never as files: the console's below, the visitors' by the endpoint of their chat.
    const found = path.endsWith('.html') ? undefined : findFile(read(), path);
    if (found && !isReserved(path)) return sendFile(request, reply, path, found);
    const isPage = /\btext\/html\b/.test(request.headers.accept ?? '') && !isReserved(path);
    return path === '/' || path === '/index.html' || isPage ? sendPage(reply) : reply.callNotFound();
  };
  app.get('/', async (request, reply) => answer(request, reply));
  app.get('/*', async (request, reply) => answer(request, reply));
  return true;
}
