import type { ItemOf } from '@atrium/sdk';
import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { client as publicClient } from '../api/client.ts';
import type { useClient } from '../api/session.ts';
import type { Form } from '../forms/form-types.ts';

type Client = ReturnType<typeof useClient>;
export type Base = ItemOf<'knowledgeBases.list'>;
export type KbDocument = ItemOf<'documents.list'>;
export type Passage = ItemOf<'knowledgeBases.listChunks'>;
export type DocumentStatus = KbDocument['status'];

/** How often something in training is asked for, in milliseconds, should an event be lost. */
export const trainingPause = 2000;

/** A knowledge base with its health; live events of it and its documents mark it as old. */
export const baseQuery = (client: Client, w: string, id: string) =>
  queryOptions({
    queryKey: [w, 'knowledge_bases', 'one', id],
    queryFn: () => client.knowledgeBases.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'training' ? 1500 : false),
  });

export const usesQuery = (client: Client, w: string, id: string) =>
  queryOptions({ queryKey: [w, 'knowledge_bases', 'uses', id], queryFn: () => client.knowledgeBases.listUses(id) });

export const documentQuery = (client: Client, w: string, kbId: string, id: string) =>
  queryOptions({
    queryKey: [w, 'documents', kbId, 'one', id],
    queryFn: () => client.documents.get(kbId, id),
    refetchInterval: ({ state }) => (state.data?.status === 'training' ? trainingPause : false),
  });

export interface DocumentFilter {
  search: string;
  prefix: string | undefined;
  status: DocumentStatus | undefined;
  sort: 'name' | '-created_at' | '-updated_at' | '-size';
}

export const useDocuments = (client: Client, w: string, kbId: string, filter: DocumentFilter) =>
  useInfiniteQuery({
    queryKey: [w, 'documents', kbId, 'list', filter],
    queryFn: ({ pageParam }) => {
      const { search, prefix, status, sort } = filter;
      const query = { page: pageParam, size: 50, sort, ...(search && { search }), ...(prefix && { prefix }) };
      return status ? client.documents.listByStatus(kbId, status, query) : client.documents.list(kbId, query);
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'training')) ? trainingPause : false,
  });

/** More folders than that are found by typing their path. */
const mostFolders = 500;

/** The paths of the folders that were made as such. */
export const foldersQuery = (client: Client, w: string, kbId: string) =>
  queryOptions({
    queryKey: [w, 'documents', kbId, 'folders'],
    queryFn: async () => {
      const paths: string[] = [];
      for await (const folder of client.documents.eachByStatus(kbId, 'folder', { size: 100, sort: 'name' })) {
        paths.push(pathOfFolder(folder));
        if (paths.length === mostFolders) break;
      }
      return paths.toSorted();
    },
  });

/** One slash between the names of a path and at both ends. */
export const cleanPath = (path: string): string => {
  const names = path.split('/').map((name) => name.trim());
  const kept = names.filter(Boolean);
  return kept.length ? `/${kept.join('/')}/` : '/';
};

export const pathOfFolder = ({ prefix, name }: Pick<KbDocument, 'prefix' | 'name'>) => cleanPath(`${prefix}/${name}`);

/** A folder as people read it: without the slash at its end. */
export const sayFolder = (path: string) => cleanPath(path).replace(/(?<=.)\/$/, '');

/** The form of knowledge bases, the same for every workspace. */
export const baseFormQuery = queryOptions({
  queryKey: ['fields', 'knowledge-bases'],
  queryFn: (): Promise<Form> => publicClient.fields.get('knowledge-bases'),
  staleTime: Number.POSITIVE_INFINITY,
});
