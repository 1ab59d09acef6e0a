import type { AgentAsModel } from '@atrium/contract/completions/schema.ts';
import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import type { ReferenceLookup } from '../settings/ports.ts';

export interface AgentModels {
  /** Finds the agent that a `model` names. Throws not_found with the code model_not_found. */
  find(scope: Scope, model: string): ReturnType<Agents['get']>;
  get(scope: Scope, model: string): Promise<AgentAsModel>;
  /** All agents at once: the protocol has no pages. */
  list(scope: Scope): Promise<{ object: 'list'; data: AgentAsModel[] }>;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const presentModel = (agent: { id: string; name: string; group_id: string; created_at: string }): AgentAsModel => ({
  id: `agent:${agent.id}`,
  object: 'model',
  created: Math.floor(Date.parse(agent.created_at) / 1000),
  owned_by: agent.group_id,
  name: agent.name,
});

/** Agents as models of the chat completions protocol. */
export function makeAgentModels(options: { agents: Agents; named: Pick<ReferenceLookup, 'byName'> }): AgentModels {
  const { agents, named } = options;
  const unknown = (model: string) =>
    new AppError('not_found', `There is no model "${model}"; an agent is called agent:<id or name>`, {
      code: 'model_not_found',
    });

  /** A name must belong to one agent only. */
  async function findId(scope: Scope, model: string): Promise<string> {
    const name = model.replace(/^agent:/, '');
    if (uuid.test(name)) return name.toLowerCase();
    if (name === model) throw unknown(model);
    const [agent, second] = await named.byName(scope, [name]);
    if (!agent) throw unknown(model);
    if (second)
      throw conflict(`More than one agent is called "${name}"; name it by its id, as agent:<id>`, 'model_ambiguous');
    return agent.id;
  }

  async function find(scope: Scope, model: string) {
    const id = await findId(scope, model);
    try {
      return await agents.get(scope, id);
    } catch (error) {
      throw error instanceof AppError && error.kind === 'not_found' ? unknown(model) : error;
    }
  }

  return {
    find,
    get: async (scope, model) => presentModel(await find(scope, model)),

    async list(scope) {
      const data: AgentAsModel[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const answer = await agents.list(scope, { page, size: 100, deleted: false, search: undefined });
        data.push(...answer.items.map(presentModel));
        pages = answer.pages;
      }
      return { object: 'list', data };
    },
  };
}
