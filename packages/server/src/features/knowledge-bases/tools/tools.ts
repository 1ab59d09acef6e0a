import { AppError } from '@atrium/contract/errors.ts';
import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';
import type { SourceImage, SourceLocation, ToolSource } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import type { Tool } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import type { KbSearch } from '../search/search.ts';
import type { KnowledgeBases } from '../service.ts';
import type { KnownBase } from '../store.ts';
import { about, makeChooseKnowledgeBases, summaryIn } from './choose-knowledge-bases.ts';
import { headingsAbove } from './headings-above.ts';
import { makePassageTaint } from './passage-taint.ts';
import { quotePassage } from './quote-passage.ts';

const mostPassages = 8;

const passage = z.object({
  title: z.string(),
  url: z.string().nullable(),
  heading: z.string().describe('The headings that the passage stands under, where it does not show them itself'),
  content: z.string(),
  quote: z.string(),
  page: z.number().nullable(),
  end_page: z.number().nullable(),
  score: z.number(),
  knowledge_base: z.string(),
});
/** `not_searched`: names of bases that could not be. */
const output = z.object({ results: z.array(passage), not_searched: z.array(z.string()) });
type Passage = z.output<typeof passage>;
const query = z.string().min(1).max(10_000).describe('What to look for, in the words of the question');

const shown = (hit: SearchHit, knowledge_base: string, question: string): Passage => ({
  title: hit.citation.title,
  url: hit.citation.url !== null && /^https?:\/\//.test(hit.citation.url) ? hit.citation.url : null,
  heading: headingsAbove(hit),
  content: hit.content,
  quote: quotePassage(hit.content, question),
  page: hit.citation.page,
  end_page: hit.citation.end_page,
  score: hit.score,
  knowledge_base,
});

/** The images within a passage; of a document that is an image, the document. */
function imagesOf({ images, document_source: { file_id, doc_type } }: SearchHit): SourceImage[] {
  const within = images.map((image) => ({ url: `store://${image.file_id}`, type: image.type }));
  if (within.length > 0 || !file_id || !doc_type?.startsWith('image/')) return within;
  return [{ url: `store://${file_id}`, type: doc_type }];
}

/**
 * The sources of the reply: quotes that stand in the passages. Their locations are not shown to the model, which has no
 * use for ids and would pay for them.
 */
function makeSources() {
  const places = new Map<string, { place: SourceLocation; images?: SourceImage[] }>();
  const nameOf = (one: Pick<Passage, 'knowledge_base' | 'title' | 'content'>) =>
    JSON.stringify([one.knowledge_base, one.title, one.content]);
  return {
    keep(found: Passage, hit: SearchHit): Passage {
      const { kb_id, document_id, start, end, page, end_page } = hit.citation;
      const images = imagesOf(hit);
      const place = { kb_id, document_id, start, end, page, end_page };
      places.set(nameOf(found), { place, ...(images.length > 0 && { images }) });
      return found;
    },
    of: (found: unknown): ToolSource[] =>
      output.parse(found).results.flatMap((one) => {
        const { url, title, quote, content } = one;
        return content.includes(quote) ? [{ url, title, quote, ...places.get(nameOf(one)) }] : [];
      }),
  };
}

const slug = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 40) || 'base';

/** The knowledge bases that settings name, as tools: one for each, one for all together, one that chooses. */
export function makeKbTools({
  bases,
  search,
  embedders,
  anonymizers,
}: {
  bases: KnowledgeBases;
  search: KbSearch;
  embedders: Embedders;
  anonymizers: KbAnonymizers;
}) {
  const { choose, route } = makeChooseKnowledgeBases(embedders, anonymizers);

  async function passages(
    scope: Scope,
    within: readonly KnownBase[],
    question: string,
    anonymizer: Anonymizer,
    { keep }: ReturnType<typeof makeSources>,
    warn: (message: string) => void,
  ) {
    const not_searched: string[] = [];
    const lists = await Promise.all(
      within.map(async (base) => {
        try {
          const hits = await search(scope, base.id, { query: question, top_k: mostPassages }, anonymizer);
          for (const warning of hits[0]?.warnings ?? [])
            warn(`Knowledge base ${JSON.stringify(base.name)}: ${warning}`);
          return hits.map((hit) => keep(shown(hit, base.name, question), hit));
        } catch (error) {
          if (within.length === 1 && error instanceof AppError) throw new ToolError(error.message);
          if (!(error instanceof AppError)) throw error;
          not_searched.push(base.name);
          return [];
        }
      }),
    );
    return {
      results: lists
        .flat()
        .toSorted((a, b) => b.score - a.score)
        .slice(0, mostPassages),
      not_searched,
    };
  }

  const searching = (
    tool: string,
    description: string,
    pick: (scope: Scope, question: string) => Promise<readonly KnownBase[]>,
    anonymizer: Anonymizer,
    taint: Pick<Tool, 'brings' | 'brought'>,
    spoken: readonly ToolEntry[] = [],
    data_in_description: readonly string[] = [],
  ): Tool => {
    const sources = makeSources();
    return defineTool({
      tool,
      description,
      data_in_description,
      input: z.object({ query }),
      output,
      repeatable: true,
      reads_only: true,
      ...taint,
      permission: 'kbs_query',
      entries: spoken,
      sources: sources.of,
      run: async (scope, input, _signal, _reveal, call) =>
        passages(scope, await pick(scope, input.query), input.query, anonymizer, sources, (message) =>
          call?.warn?.(message),
        ),
    });
  };

  return async (scope: Scope, settings: Settings, { anonymizer }: { anonymizer: Anonymizer }): Promise<Tool[]> => {
    const listed = settings.knowledge_bases.flatMap((entry) => {
      const { id, enabled = true } = typeof entry === 'string' ? { id: entry } : entry;
      return enabled ? [id.toLowerCase()] : [];
    });
    const entries = settings.tools.filter(({ enabled = true }) => enabled);
    const asked = entries.flatMap(({ type, kb_id }) =>
      type === 'kb_qa' && typeof kb_id === 'string' ? [kb_id.toLowerCase()] : [],
    );
    const entriesOf = (kind: string, id?: string) =>
      entries.filter(
        ({ type, kb_id }) => type === kind && (id === undefined || String(kb_id).toLowerCase() === id.toLowerCase()),
      );
    const selects = entries.some(({ type }) => type === 'kb_selector');
    const ids = [...new Set([...listed, ...asked])];
    if (ids.length === 0 && !selects) return [];
    const own = ids.length ? await bases.known(scope, ids) : [];
    const taintOf = makePassageTaint(settings);
    const tools: Tool[] = [];
    if (settings.multi_kb_search && own.length > 1)
      tools.push(
        searching(
          'knowledge_search',
          `Searches all knowledge bases: ${own.map(({ name }) => name).join(', ')}.`,
          (within, text) => route(within, own, text, anonymizer),
          anonymizer,
          taintOf(own),
          entriesOf('kb_qa'),
        ),
      );
    else
      own.forEach((base, at) => {
        const name = `kb_${slug(base.name)}${own.some((other, index) => index < at && slug(other.name) === slug(base.name)) ? `_${at}` : ''}_search`;
        tools.push(
          searching(
            name,
            `Searches the knowledge base ${about(base)} (kb_id ${base.id})`,
            async () => [base],
            anonymizer,
            taintOf([base]),
            entriesOf('kb_qa', base.id),
            summaryIn(about(base), base),
          ),
        );
      });
    // Where tools use the rights of the caller, a selector searches only what the caller may search.
    const seesAll = settings.tool_grant_scope === 'workspace' || allows(scope.permissions, 'kbs_query');
    if (selects) {
      // Knowledge bases that are gone leave the agent with none, not with all others.
      const all = ids.length ? own : seesAll ? await bases.known(scope) : [];
      if (all.length)
        tools.push(
          searching(
            'kb_selector_search',
            'Chooses the fitting knowledge bases and searches them.',
            (within, text) => choose(within, all, text, anonymizer),
            anonymizer,
            taintOf(all),
            entriesOf('kb_selector'),
          ),
        );
    }
    return tools;
  };
}
