import { addUp } from '../../src/features/insights/testing.ts';
import { makePeopleIn } from '../../src/features/people/testing.ts';
import { sandboxConfig } from '../../src/features/sandboxes/testing.ts';
import { testApp } from '../../test/support/test-app.ts';
import { plantAgent, plantUnlockRequest } from './plant-agents.ts';
import { plantConversations } from './plant-conversations.ts';
import { plantEvaluation } from './plant-evaluations.ts';
import { plantKnowledge } from './plant-knowledge.ts';
import { plantPeople } from './plant-people.ts';
import { plantRows } from './plant-rows.ts';
import { plantSandbox } from './plant-sandboxes.ts';
import { plantWorkflows } from './plant-workflows.ts';
import { plantWorkspace } from './plant-workspace.ts';
import { makePlanting } from './planting.ts';

/** A server with a marked word of person A in every kind of record. */
export async function plantEverything() {
  const app = await testApp({
    roles: ['http', 'worker'],
    db_pool: 12,
    web_allow: ['127.0.0.1'],
    ...sandboxConfig({ engine: 'just-bash' }),
  });
  const people = await makePeopleIn(app);
  const [owner, sharee] = [await people.aMember('Editor'), await people.aMember('Reader')];
  const planting = makePlanting(app, {
    ...{ workspace_id: people.home, cookie: owner.cookie, person_id: owner.id, sharee_id: sharee.id },
  });
  const agent_id = await plantAgent(planting);
  const kb_id = await plantKnowledge(planting);
  await plantWorkflows(planting, { agent_id, kb_id });
  await plantConversations(planting, agent_id);
  await plantSandbox(planting);
  await plantWorkspace(planting, agent_id);
  await plantUnlockRequest(planting);
  await plantEvaluation(planting, agent_id);
  await plantPeople(planting);
  await plantRows(planting, kb_id);
  await addUp(app);
  return { app, planting, owner, sharee };
}
