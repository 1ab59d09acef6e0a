import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { exampleId } from '../example-id.ts';
import { nodeType } from '../node-type.ts';

export const knowledgeSearchNodeType = nodeType({
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
  example: { kb_id: exampleId, top_k: 3 },
});
