import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { AgentSettings } from '../features/agents/agent-settings.ts';
import { makeTranscript } from '../features/conversations/transcript.ts';
import { makeEvaluate } from '../features/evaluations/evaluate.ts';
import { makeFromConversation } from '../features/evaluations/from-conversation.ts';
import { makeReplay } from '../features/evaluations/replay.ts';
import { evaluationRoutes } from '../features/evaluations/routes.ts';
import { makeEvaluations } from '../features/evaluations/service.ts';
import type { Registry } from '../features/models/registry.ts';
import type { SmallQuestions } from '../features/models/small-questions.ts';
import type { ToolSource } from '../features/runs/offered-tools.ts';
import { clock } from '../features/tools/clock.ts';
import type { VariableResolver } from '../features/variables/resolve.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import { defineJob } from '../lib/job.ts';
import type { Tool } from '../lib/tool.ts';
import { enqueue } from '../worker/worker.ts';
import type { Safety } from './safety.ts';

export interface EvaluationOptions {
  db: Database;
  agentSettings: AgentSettings;
  registry: Registry;
  questions: SmallQuestions;
  safety: Safety;
  variables: VariableResolver;
  workspaces: Workspaces;
  tools: readonly Tool[];
  toolSources: readonly ToolSource[];
}

/** Versions of agents, tried with stored questions. */
export function makeEvaluating(options: EvaluationOptions) {
  const { db, agentSettings, registry, questions, safety, variables, workspaces, tools, toolSources } = options;
  const { privacy, findPii } = safety;
  const replay = makeReplay({ registry, privacy, variables, workspaces, tools: [clock, ...tools], toolSources });
  const evaluate = makeEvaluate({ db, agentSettings, privacy, questions, replay });
  const run = defineJob({
    job: 'evaluations.run',
    payload: z.object({ workspace_id: z.guid(), run_id: z.guid() }),
    attempts: 10,
    handler: ({ log, signal }, { workspace_id, run_id }) => evaluate(workspace_id, run_id, log, signal),
  });
  const evaluations = makeEvaluations({
    ...{ db, agentSettings },
    fromConversation: makeFromConversation({ db, transcript: makeTranscript({ db }), findPii }),
    queue: (tx, workspace_id, run_id) => enqueue(tx, run, { workspace_id, run_id }, { key: `evaluation:${run_id}` }),
  });
  return { jobs: [run], routes: evaluationRoutes(evaluations) };
}
