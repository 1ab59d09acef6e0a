import type { SourceDisplay } from '../ports.ts';
import type { EventOf, UiChunk } from './chunk-types.ts';

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

/** A source as the parts that show it. `number` counts the sources of the message that are shown. */
export function sourceChunks(source: EventOf<'source'>, number: number, look: SourceDisplay): UiChunk[] {
  const { url, title, quote, place } = source;
  const { page = null, end_page = null, ...within } = place ?? {};
  const about = {
    ...(look.footnotes && { footnote: number }),
    ...(look.quotes && quote && { quote }),
    ...(page !== null && { page, end_page }),
    ...(look.ids && within),
  };
  const said = { title, ...(Object.keys(about).length > 0 && { providerMetadata: { atrium: about } }) };
  const sourceId = `source-${number}`;
  if (url === null) return [{ type: 'source-document', sourceId, mediaType: 'text/plain', ...said }];
  const mediaType = look.images ? imageType(url) : undefined;
  return [
    { type: 'source-url', sourceId, url, ...said },
    ...(mediaType ? [{ type: 'file' as const, url, mediaType }] : []),
  ];
}
