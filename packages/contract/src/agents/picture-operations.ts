import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import * as s from '../schema/schema.ts';
import { agentsRoutes } from './routes.ts';
import { agentParams } from './schema.ts';

const tag = 'Agents';

/** In bytes. */
const largestPicture = 5 * 1024 * 1024;

const agentPicture = z
  .strictObject({
    image_url: z.string().describe('The address of the picture, which the agent has as `image_url` now.'),
  })
  .meta({ id: 'AgentPicture' });

export const setAgentPicture = operation({
  id: 'agents.setPicture',
  route: agentsRoutes['agents.setPicture'],
  summary: 'Upload the picture of an agent',
  description:
    'Stores a PNG, JPEG, WebP, GIF or BMP image of at most 5 MB as the picture of the agent, drawn anew as a WebP of at most 256 pixels width, so that nothing else of the file is kept. Vector images are refused. `image_url` of the agent is set to its address.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  upload: { field: 'file', description: 'The image.' },
  body_limit: largestPicture,
  answer: agentPicture,
  errors: [
    noSuch('agent'),
    conflicts('not_an_image', 'The file is no image of these kinds, is damaged, or has too many pixels.'),
  ],
});

export const removeAgentPicture = operation({
  id: 'agents.removePicture',
  route: agentsRoutes['agents.removePicture'],
  summary: 'Remove the picture of an agent',
  description: 'Deletes the picture that was uploaded, and clears `image_url` if it is its address.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  answer: success,
});

export const getAgentPicture = operation({
  id: 'agents.getPicture',
  route: agentsRoutes['agents.getPicture'],
  summary: 'Get the picture of an agent',
  description:
    'Returns the picture that was uploaded for the agent as a WebP image; `image_url` of the agent has this address, with a version that changes with the picture.',
  tag,
  permission: 'agents_run',
  params: agentParams,
  query: s.query({
    v: s.optional(s.str({ max: 100 })).describe('The version of the picture; with it, clients may keep the answer.'),
  }),
  answer: z.unknown(),
  content_type: 'image/webp',
  errors: [noSuch('agent'), conflicts('no_picture', 'No picture was uploaded for this agent.')],
});

export const agentPictureOperations = [setAgentPicture, removeAgentPicture, getAgentPicture];
