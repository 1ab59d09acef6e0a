import * as z from 'zod';
import { operation } from '../operation.ts';
import { kbParams } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { folderRights, folderRightsBody } from './visible-to.ts';

const tag = 'Knowledge bases';

export const listFolderRights = operation({
  id: 'folders.listRights',
  route: knowledgeBasesRoutes['folders.listRights'],
  summary: 'List the folders that not everybody sees',
  description:
    'Returns the folders of a knowledge base for which `visible_to` is set, by their paths. The answer is a plain list.',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  versioned: true,
  answer: z.array(folderRights),
});

export const setFolderRights = operation({
  id: 'folders.setRights',
  route: knowledgeBasesRoutes['folders.setRights'],
  summary: 'Set who sees a folder',
  description:
    'Sets who sees what lies in a folder and below it, now and later. A reader has to be allowed by every folder above a document and by the document itself. Nothing is trained again; the search follows within a moment.',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  body: folderRightsBody,
  example: { prefix: '/legal', visible_to: [] },
  versioned: true,
  answer: folderRights,
});

export const folderOperations = [listFolderRights, setFolderRights];
