import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { DocumentText, TextQuery } from '@atrium/contract/knowledge-bases/text-schema.ts';
import type { Database } from '../../../db/database.ts';
import type { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Previews } from '../../files/ports.ts';
import type { PageRange } from '../ingest/text-segments.ts';
import type { Documents } from './documents.ts';
import * as store from './text-store.ts';

type TextBlock = DocumentText['blocks'][number];

/** What a document says and how it looks, for readers of its passages. */
export interface DocumentTexts {
  read(scope: Scope, kb_id: string, id: string, query: TextQuery): Promise<DocumentText>;
  drawPage(scope: Scope, kb_id: string, id: string, request: { page: number; width: number }): Promise<RawAnswer>;
}

/** Joins the parts of a page that stand in two segments. */
function joinPages(pages: readonly PageRange[]): PageRange[] {
  const joined: PageRange[] = [];
  for (const own of pages) {
    const last = joined.at(-1);
    if (last?.page === own.page) last.end = Math.max(last.end, own.end);
    else joined.push({ ...own });
  }
  return joined;
}

/** The blocks within a range; the first and the last may be parts of longer ones. */
function cutBlocks(blocks: readonly TextBlock[], start: number, end: number): TextBlock[] {
  return blocks.flatMap((block) => {
    const [from, to] = [Math.max(block.start, start), Math.min(block.end, end)];
    if (from >= to) return [];
    return [{ ...block, text: block.text.slice(from - block.start, to - block.start), start: from, end: to }];
  });
}

export function makeDocumentTexts(deps: {
  db: Database;
  documents: Pick<Documents, 'find'>;
  previews: Previews;
}): DocumentTexts {
  const { db, documents, previews } = deps;

  async function findShape(place: store.LiveText) {
    const stored = await store.findTextShape(db, place);
    if (stored) return { ...stored, pages: joinPages(stored.pages.flat()) };
    const passages = await store.findPassageShape(db, place);
    return passages && { run_id: undefined, length: passages.length ?? 0, pages: passages.pages };
  }

  async function findBlocks(place: store.LiveText, run_id: string | undefined, range: { start: number; end: number }) {
    if (run_id !== undefined)
      return (await store.findTextSegments(db, place, run_id, range)).flatMap(({ start, content, blocks }) =>
        blocks.map(
          (block): TextBlock => ({
            ...block,
            headings: [...block.headings],
            text: content.slice(block.start - start, block.end - start),
          }),
        ),
      );
    let done = 0;
    // Passages may overlap, and repeat the header of a table before their own text.
    return (await store.findPassagesBetween(db, place, range)).flatMap(({ content, ...own }): TextBlock[] => {
      const from = Math.max(own.start, done);
      if (from >= own.end) return [];
      done = own.end;
      const text = content.slice(Math.max(0, content.length - (own.end - from)));
      return [{ ...own, kind: 'paragraph', start: from, level: null, text }];
    });
  }

  return {
    async read(scope, kb_id, id, { start: from, page, max_chars }) {
      await documents.find(scope, kb_id, id);
      const place = { workspace_id: scope.workspace_id, kb_id, document_id: id };
      const shape = await findShape(place);
      if (!shape) throw notFound('document');
      const wanted = page === undefined ? undefined : shape.pages.find((own) => own.page === page);
      if (page !== undefined && !wanted) throw notFound('page');
      const start = Math.max(from, wanted?.start ?? 0);
      const last = wanted?.end ?? shape.length;
      const end = Math.min(last, start + max_chars);
      const blocks = start < end ? cutBlocks(await findBlocks(place, shape.run_id, { start, end }), start, end) : [];
      const final = blocks.at(-1);
      // A character of two units is not cut in half.
      const torn = final !== undefined && end < last && /[\uD800-\uDBFF]$/.test(final.text) ? 1 : 0;
      if (final && torn) Object.assign(final, { text: final.text.slice(0, -1), end: final.end - 1 });
      const next = end - torn;
      return {
        document_id: id,
        source: shape.run_id === undefined ? 'passages' : 'document',
        length: shape.length,
        pages: shape.pages,
        blocks,
        next_start: next < last ? next : null,
      };
    },

    async drawPage(scope, kb_id, id, request) {
      const document = await documents.find(scope, kb_id, id);
      if (document.file_id === null)
        throw conflict('There is no picture of this document: it has no file', 'no_preview');
      return previews.draw(scope, document.file_id, request);
    },
  };
}
