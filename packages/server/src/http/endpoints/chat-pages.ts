import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@atrium/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { escapeMarkup } from '../../lib/text/escape-html.ts';
import { writeNonce } from './console-files.ts';

/** The public chat pages, as `features/channels` describes them. */
export interface ChatPages {
  /** Fails as not found when nothing is deployed under this token. */
  page(token: string): Promise<{ title: string; config: unknown; origins: readonly string[] }>;
}

/** Nothing comes from or goes to another host; only the origins that the deployment names may frame the page. */
const policyWith = (nonce: string, origins: readonly string[]) =>
  [
    ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' blob: data:"],
    ...["font-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"],
    `frame-ancestors ${["'self'", ...origins].join(' ')}`,
  ].join('; ');

/** JSON that can stand in a page: nothing in it ends the element or begins a comment. */
const jsonInPage = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The built page with what it is told. Replacements are functions: `$` in a title has no meaning of its own. */
const writePage = (html: string, nonce: string, title: string, config: unknown) =>
  writeNonce(html, nonce)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeMarkup(title)}</title>`)
    .replace(/(<script type="application\/json" id="chat">)[^<]*/, (_, tag: string) => tag + jsonInPage(config));

const asksForPage = (accept: string | undefined) => /\btext\/html\b/.test(accept ?? '');
const readBuilt = (folder: string, name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;

/** Pages for people, which are no operations of the API: their scripts use its public endpoints. */
export function addChatPages(app: FastifyInstance, { page }: ChatPages, consoleFolder: string): void {
  const html = readBuilt(consoleFolder, 'chat.html')?.toString();
  const script = readBuilt(consoleFolder, 'embed.js');
  const notBuilt = () => new AppError('unavailable', 'The chat page of this server is not built');

  app.get<{ Params: { token: string } }>('/chat/:token', async ({ params, headers }, reply) => {
    const found = await page(params.token).catch((error: unknown) => {
      // People who follow a link that was changed or switched off do not read JSON.
      if (html && error instanceof AppError && error.kind === 'not_found' && asksForPage(headers.accept)) return;
      throw error;
    });
    if (!html) throw notBuilt();
    const nonce = randomBytes(16).toString('base64');
    const { title, config, origins } = found ?? { title: 'No such chat', config: null, origins: [] };
    return (
      reply
        .code(found ? 200 : 404)
        .header('content-security-policy', policyWith(nonce, origins))
        // The address is a secret: it is not sent as a referrer, and the page is not cached.
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(writePage(html, nonce, title, config))
    );
  });
  app.get<{ Params: { file: string } }>('/embed/:file', async ({ params }, reply) => {
    await page(params.file.replace(/\.js$/, ''));
    if (!script) throw notBuilt();
    return reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'max-age=300')
      .type('text/javascript; charset=utf-8')
      .send(script);
  });
}
