import type { AgentAsModel } from '@atrium/contract/completions/schema.ts';
import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import type { ReferenceLookup } from '../settings/ports.ts';

export type AgentModels = ReturnType<typeof makeAgentModels>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const shown = (agent: { id: string; name: string; group_id: string; created_at: string }): AgentAsModel => ({
  id: `agent:${agent.id}`,
  object: 'model',
  created: Math.floor(Date.parse(agent.created_at) / 1000),
  owned_by: agent.group_id,
  name: agent.name,
});

/** Agents under the names that clients of the chat completions protocol call models by. */
export function makeAgentModels({ agents, named }: { agents: Agents; named: Pick<ReferenceLookup, 'byName'> }) {
  const unknown = (model: string) =>
    new AppError('not_found', `There is no model "${model}"; an agent is called agent:<id or name>`, {
      code: 'model_not_found',
    });

  /** A name says which agent is meant only where one alone has it. */
  async function idOf(scope: Scope, model: string): Promise<string> {
    const name = model.replace(/^agent:/, '');
    if (uuid.test(name)) return name.toLowerCase();
    if (name === model) throw unknown(model);
    const [found, second] = await named.byName(scope, [name]);
    if (!found) throw unknown(model);
    if (second)
      throw conflict(`More than one agent is called "${name}"; name it by its id, as agent:<id>`, 'model_ambiguous');
    return found.id;
  }

  async function find(scope: Scope, model: string) {
    const id = await idOf(scope, model);
    try {
      return await agents.get(scope, id);
    } catch (error) {
      throw error instanceof AppError && error.kind === 'not_found' ? unknown(model) : error;
    }
  }

  return {
    find,
    get: async (scope: Scope, model: string) => shown(await find(scope, model)),

    /** All at once: the protocol has no pages. */
    async list(scope: Scope): Promise<{ object: 'list'; data: AgentAsModel[] }> {
      const data: AgentAsModel[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const answer = await agents.list(scope, { page, size: 100, deleted: false, search: undefined });
        data.push(...answer.items.map(shown));
        pages = answer.pages;
      }
      return { object: 'list', data };
    },
  };
}
