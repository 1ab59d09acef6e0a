import type { SourceDisplay } from '../ports.ts';
import type { EventOf, UiChunk } from './chunk-types.ts';

/** The most images of one source. */
const mostImages = 4;

const imageTypes: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** The media type of an address that is an image's by its name. */
function imageType(url: string): string | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return imageTypes[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
}

/** The images of a source, and the source itself when it is one. Stored files are for callers that may see ids. */
function imageChunks({ url, images = [] }: EventOf<'source'>, look: SourceDisplay): UiChunk[] {
  const own = url === null ? undefined : imageType(url);
  const all = [...(url !== null && own ? [{ url, type: own }] : []), ...images.slice(0, mostImages)];
  const shown = all.filter((image) => look.ids || !image.url.startsWith('store:'));
  return shown.map((image) => ({ type: 'file', url: image.url, mediaType: image.type }));
}

/** A source as the parts that show it. `count` counts the sources of the message that are shown. */
export function sourceChunks(source: EventOf<'source'>, count: number, look: SourceDisplay): UiChunk[] {
  const { url, title, quote, place, number } = source;
  const { page = null, end_page = null, ...within } = place ?? {};
  const about = {
    ...(look.footnotes && { footnote: count }),
    ...(number && { number }),
    ...(look.quotes && quote && { quote }),
    ...(page !== null && { page, end_page }),
    ...(look.ids && within),
  };
  const said = { title, ...(Object.keys(about).length > 0 && { providerMetadata: { atrium: about } }) };
  const sourceId = `source-${count}`;
  const images = look.images ? imageChunks(source, look) : [];
  if (url === null) return [{ type: 'source-document', sourceId, mediaType: 'text/plain', ...said }, ...images];
  return [{ type: 'source-url', sourceId, url, ...said }, ...images];
}
