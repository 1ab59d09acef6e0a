import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { FoundChunk } from '../documents/chunk-store.ts';

const textAt = (metadata: Record<string, unknown>, key: string) => {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

const addressOf = ({ source_url, document }: FoundChunk) =>
  source_url ?? (document.file_id === null ? null : `store://${document.file_id}`);

/** The source, title and address of a citation, by the citation settings. */
export function citeHit(
  chunk: FoundChunk,
  settings: KbSettings,
): { source: string | null; title: string; url: string | null } {
  const { document, headings } = chunk;
  const { citation_mode, citation_url_key, citation_title_mode, citation_title_key } = settings;
  const url = citation_mode === 'metadata' ? textAt(document.doc_metadata, citation_url_key) : addressOf(chunk);
  const source = citation_mode === 'document' ? document.name : url;
  const title =
    citation_title_mode === 'heading'
      ? headings.at(-1)
      : citation_title_mode === 'metadata'
        ? textAt(document.doc_metadata, citation_title_key)
        : document.name;
  return { source, title: title || document.name, url };
}
