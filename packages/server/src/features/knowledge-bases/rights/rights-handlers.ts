import { listFolderRights, setFolderRights } from '@atrium/contract/knowledge-bases/folder-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Rights } from './rights.ts';

export const rightsRoutes = (rights: Pick<Rights, 'listFolders' | 'putFolder'>): Route[] => [
  handle(listFolderRights, (scope, { params }) => rights.listFolders(scope, params.knowledge_base_id)),
  handle(setFolderRights, (scope, { params, body }) => rights.putFolder(scope, params.knowledge_base_id, body)),
];
