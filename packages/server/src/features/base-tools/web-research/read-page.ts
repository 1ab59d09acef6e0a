import { buffer } from 'node:stream/consumers';
import { type Extract, NotExtractable } from '../../../drivers/extractors/driver.ts';
import { type PageReader, PageUnreadable } from '../../../drivers/pages/driver.ts';
import { explainRefusal, type Web, WebRefused } from '../../../drivers/web/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ToolError } from '../../tools/service.ts';
import { imageTypeOf } from './image-type.ts';

export interface ReadPage {
  /** The final address, after redirects. */
  url: string;
  title: string;
  text: string;
  /** The picture that the page gives of itself, or the page when it is an image. */
  image?: { url: string; type: string };
}

const limits = { max_bytes: 8 * 1024 * 1024, timeout_ms: 25_000 };
const mostChars = 500_000;
const headers = { accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5' };

/** As the server says, or else as the page does. */
function decoded(bytes: Buffer, content_type: string): string {
  const head = bytes.subarray(0, 2048).toString('latin1');
  const label = /charset=["']?([\w-]+)/i.exec(content_type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The address in `og:image` of a page; only its head is read. */
function pictureIn(html: string, base: string): ReadPage['image'] {
  const metas = html.slice(0, 100_000).match(/<meta\s[^<>]{1,2000}>/gi) ?? [];
  const meta = metas.find((tag) => /\b(?:property|name)\s?=\s?["']?(?:og:image|twitter:image)\b(?!:)/i.test(tag));
  const given = meta && /\bcontent\s?=\s?["']([^"']{1,1500})["']/i.exec(meta)?.[1];
  const url = given && URL.canParse(given, base) ? new URL(given, base).href : undefined;
  return url && /^https?:/.test(url) ? { url, type: imageTypeOf(url) } : undefined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads an address as text: the article of a page, or the extracted text of another file. */
export function makeReadPage({ web, reader, extract }: { web: Web; reader: PageReader; extract: Extract }): ReadPageAt {
  async function read(address: string, signal: AbortSignal, hosts: readonly string[]): Promise<ReadPage> {
    const answer = await web.fetch(address, { ...limits, headers, hosts, signal });
    if (answer.status < 200 || answer.status > 299) {
      answer.body.destroy();
      throw new ToolError(`The page could not be read: its server answered with the status ${answer.status}`);
    }
    const { url } = answer;
    const type = answer.headers['content-type'] ?? 'text/html';
    const content_type = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
    const bytes = await buffer(answer.body);
    if (/^(?:text\/html|application\/xhtml\+xml)$/.test(content_type)) {
      const html = decoded(bytes, type);
      const { title, text } = await reader.read(html, url, signal);
      const image = pictureIn(html, url);
      return { url, title: title || url, text: text.slice(0, mostChars), ...(image && { image }) };
    }
    const filename = decodeURIComponent(new URL(url).pathname.split('/').at(-1) || 'page').slice(0, 200);
    const { text, title } = await extract(once(bytes), { filename, content_type, max_chars: mostChars, signal });
    const isImage = content_type.startsWith('image/');
    return { url, title: title ?? filename, text, ...(isImage && { image: { url, type: content_type } }) };
  }

  return async (address, signal, scope, hosts) => {
    try {
      return await read(address, signal, hosts);
    } catch (error) {
      if (error instanceof WebRefused || error instanceof PageUnreadable || error instanceof NotExtractable)
        throw new ToolError(
          `The page could not be read: ${explainRefusal(error, { ...scope, permission: 'agents_edit' })}`,
        );
      throw error instanceof URIError ? new ToolError('The page could not be read: its address is not valid') : error;
    }
  };
}

/** `scope`: who reads why a page could not be read. `hosts`: the only hosts that may be reached, or none. */
export type ReadPageAt = (
  address: string,
  signal: AbortSignal,
  scope: Pick<Scope, 'actor' | 'permissions'>,
  hosts: readonly string[],
) => Promise<ReadPage>;
