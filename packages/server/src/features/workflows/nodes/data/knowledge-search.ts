import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';
import { knowledgeSearchNodeType } from '@atrium/contract/workflows/node-types/data/knowledge-search.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode } from '../define-node.ts';

export type SearchBase = (
  scope: Scope,
  kb_id: string,
  wanted: { query: string; top_k: number; prefix?: string },
) => Promise<SearchHit[]>;

export const makeKnowledgeSearchNode = (search: SearchBase) =>
  defineNode(knowledgeSearchNodeType, async ({ scope }, { query }, { kb_id, top_k, prefix }) => {
    requirePermission(scope, 'kbs_query');
    const wanted = { query: String(query), top_k, ...(prefix && { prefix }) };
    const hits = await rethrowAsNodeFailure(search(scope, kb_id, wanted));
    const results = hits.map(({ content, score, source, citation }) => ({
      content,
      score,
      source,
      title: citation.title,
      url: citation.url,
      page: citation.page,
    }));
    return { text: results.map(({ title, content }) => `${title}\n${content}`).join('\n\n'), results };
  });
