import type { Planting } from './planting.ts';

/** Plants an agent of the workspace. Returns its id. */
export async function plantAgent(planting: Planting): Promise<string> {
  const { ask, note } = planting;
  const definition = {
    model: ['atrium/extractive'],
    persona: planting.word('agent', 'persona'),
    pii_anonimization: [],
    skills: [
      {
        name: 'planted',
        description: planting.word('agent', 'skill'),
        instructions: planting.word('agent', 'instructions of a skill'),
      },
    ],
  };
  const body = { name: planting.word('agent', 'name'), description: planting.word('agent', 'description'), definition };
  const agent = note('agent', (await ask('POST', '/v1/agents', body)).id);
  const version = { name: planting.word('agent', 'version'), description: planting.word('agent', 'version note') };
  note('agent_version', (await ask('POST', `/v1/agents/${agent}/versions`, version)).id, { agent });
  return agent;
}

/** Plants the reasons of a lock of an agent and of the request to turn it off. */
export async function plantUnlockRequest(planting: Planting): Promise<void> {
  const { ask, note } = planting;
  const agent = note('agent', (await ask('POST', '/v1/agents', { name: 'locked' })).id);
  const lock = { definition: { prompt_lock: true }, lock_reason: planting.word('lock of an agent', 'reason') };
  await ask('PATCH', `/v1/agents/${agent}`, lock);
  const request = { lock: 'prompt_lock', reason: planting.word('unlock request', 'reason') };
  note('unlock_request', (await ask('POST', `/v1/agents/${agent}/unlock-requests`, request)).id, { agent });
}
