import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { requirePermission, told } from '../../node-services/rethrow-as-node-failure.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

export type SearchBase = (
  scope: Scope,
  kb_id: string,
  wanted: { query: string; top_k: number; prefix?: string },
) => Promise<SearchHit[]>;

export const makeKnowledgeSearchNode = (search: SearchBase) =>
  defineNode({
    type: 'KnowledgeSearchNode',
    title: 'Search knowledge',
    description: 'Finds passages in a knowledge base.',
    category: 'sources',
    inputs: [plain('query')],
    outputs: [plain('text'), plain('results', { data_type: 'list' })],
    config: {
      kb_id: c.reference('knowledge_base', { description: 'The knowledge base to search' }),
      top_k: c.int({ min: 1, max: 100, default: 5, description: 'The most passages to find' }),
      prefix: c.template({ default: '', advanced: true, description: 'Only in this folder' }),
    },
    async run({ scope }, { query }, { kb_id, top_k, prefix }) {
      requirePermission(scope, 'kbs_query');
      const wanted = { query: String(query), top_k, ...(prefix && { prefix }) };
      const hits = await told(search(scope, kb_id, wanted));
      const results = hits.map(({ content, score, source, citation }) => ({
        content,
        score,
        source,
        title: citation.title,
        url: citation.url,
        page: citation.page,
      }));
      return { text: results.map(({ title, content }) => `${title}\n${content}`).join('\n\n'), results };
    },
  });
