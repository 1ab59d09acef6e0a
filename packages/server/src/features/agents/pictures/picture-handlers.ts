import { getAgentPicture, removeAgentPicture, setAgentPicture } from '@atrium/contract/agents/picture-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { AgentPictures } from './pictures.ts';

export const agentPictureRoutes = (pictures: AgentPictures): Route[] => [
  handle(setAgentPicture, (scope, { params, files }) => pictures.set(scope, params.agent_id, files())),
  handle(removeAgentPicture, async (scope, { params }) => {
    await pictures.remove(scope, params.agent_id);
    return done;
  }),
  handle(getAgentPicture, (scope, { params, query }) => pictures.get(scope, params.agent_id, query.v)),
];
