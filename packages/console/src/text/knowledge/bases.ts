import { sayNumber } from '../../lib/numbers.ts';

export const many = (count: number, one: string, more: string) => `${sayNumber(count)} ${count === 1 ? one : more}`;
const list = new Intl.ListFormat('en');

/** Words of the list of knowledge bases and of what stands around the tabs of one. */
export const baseTexts = {
  title: 'Knowledge',
  needsEdit: 'Needs the permission kbs_edit',
  needsDelete: 'Needs the permission kbs_delete',
  needsAdvanced: 'Needs the permission kbs_advanced',
  needsQuery: {
    title: 'You may not see knowledge bases',
    help: 'It needs the permission kbs_query, which an administrator of the workspace can give you.',
  },
  list: {
    find: 'Find a knowledge base',
    label: 'Knowledge bases',
    count: (count: number) => many(count, 'knowledge base', 'knowledge bases'),
    documents: (count: number) => many(count, 'document', 'documents'),
    failed: (count: number) => `${sayNumber(count)} failed`,
    more: (name: string) => `More for ${name}`,
    none: {
      title: 'No knowledge bases yet',
      help: 'A knowledge base holds documents that agents search and cite. Add files, or whole web sites.',
    },
    noneFound: (search: string) => `No knowledge base has “${search}” in its name`,
  },
  statuses: { created: 'Empty', training: 'Training', ready: 'Ready', error: 'Failed' },
  training: (count: number) => `Training ${many(count, 'document', 'documents')}`,
  reindex: 'Build the index anew',
  reindexing: 'The index is being built anew. Searches use the old one until it is done.',
  retryFailed: 'Try the failed again',
  retried: (count: number) => `${many(count, 'document is', 'documents are')} trained again`,
  create: {
    action: 'New knowledge base',
    title: 'New knowledge base',
    help: 'Agents choose a knowledge base by its name and description.',
    name: 'Name',
    namePlaceholder: 'Handbook',
    description: 'Description',
    descriptionPlaceholder: 'How we work: leave, travel, expenses',
    submit: 'Make the knowledge base',
  },
  remove: {
    action: 'Delete',
    title: (name: string) => `Delete the knowledge base ${name}?`,
    help: (count: number) =>
      `${many(count, 'document', 'documents')}, their files, passages, tables and the index go for good. This cannot be undone.`,
    submit: 'Delete knowledge base',
    done: (name: string) => `${name} was deleted`,
    unused: 'Nothing uses it.',
    usedBy: 'These use it and will no longer find anything in it:',
  },
  uses: {
    none: 'Not used yet',
    by: (names: readonly string[], more: number) =>
      `Used by ${list.format(more > 0 ? [...names, `${sayNumber(more)} more`] : names)}`,
    title: 'Used by',
    hidden: (count: number) => `${sayNumber(count)} more that you may not see`,
    kinds: {
      agent: 'Agent',
      workflow: 'Workflow',
      conversation: 'Chat',
      trigger: 'Trigger',
      deployment: 'Channel',
      variable: 'Variable',
      knowledge_base: 'Knowledge base',
    },
    noName: 'without a name',
  },
  tabs: {
    label: 'Parts of the knowledge base',
    documents: 'Documents',
    search: 'Try a search',
    sites: 'Web sites',
    quality: 'Quality',
    settings: 'Settings',
  },
} as const;
