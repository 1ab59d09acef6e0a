import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { AgentSettings } from '../features/agents/ports.ts';
import { makeConversationAccess } from '../features/conversations/shares/conversation-access.ts';
import { makeTranscript } from '../features/conversations/transcript.ts';
import { makeCaseFromConversation } from '../features/evaluations/case-from-conversation.ts';
import { evaluationCaseRoutes } from '../features/evaluations/case-handlers.ts';
import { makeEvaluationCases } from '../features/evaluations/cases.ts';
import { makeEvaluationRecords } from '../features/evaluations/evaluation-records.ts';
import { publishGateRoutes } from '../features/evaluations/gate/gate-handlers.ts';
import { makePublishGates } from '../features/evaluations/gate/publish-gate.ts';
import { evaluationRoutes } from '../features/evaluations/handlers.ts';
import { makeEvaluationMarks } from '../features/evaluations/marks.ts';
import { makeReplayCase } from '../features/evaluations/replay-case.ts';
import { makeEvaluationRunner } from '../features/evaluations/run-evaluation.ts';
import { makeEvaluations } from '../features/evaluations/service.ts';
import { makeFindCaseAccess } from '../features/evaluations/sources/hide-cases.ts';
import { makeStartRun } from '../features/evaluations/start-run.ts';
import type { ModelQuestions } from '../features/model-questions/service.ts';
import type { Registry } from '../features/models/service.ts';
import { clock } from '../features/tools/clock-tool.ts';
import type { Tool, ToolProvider } from '../features/tools/ports.ts';
import type { VariableResolver } from '../features/variables/ports.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import { defineJob } from '../lib/define-job.ts';
import { enqueue } from '../worker/worker.ts';
import type { Safety } from './safety.ts';

export interface EvaluationOptions {
  db: Database;
  agentSettings: AgentSettings;
  registry: Registry;
  questions: ModelQuestions;
  safety: Safety;
  variables: VariableResolver;
  workspaces: Workspaces;
  tools: readonly Tool[];
  toolSources: readonly ToolProvider[];
}

/** Composes evaluations: versions of agents, tried with stored cases. */
export function composeEvaluations(options: EvaluationOptions) {
  const { db, agentSettings, registry, questions, safety, variables, workspaces, tools, toolSources } = options;
  const { privacy, findPii } = safety;
  const replay = makeReplayCase({ registry, privacy, variables, workspaces, tools: [clock, ...tools], toolSources });
  const evaluate = makeEvaluationRunner({ db, agentSettings, privacy, questions, replay });
  const run = defineJob({
    job: 'evaluations.run',
    payload: z.object({ workspace_id: z.guid(), run_id: z.guid() }),
    attempts: 10,
    handler: ({ log, signal }, { workspace_id, run_id }) => evaluate(workspace_id, run_id, log, signal),
  });
  const transcript = makeTranscript({ db });
  const fromConversation = makeCaseFromConversation({ db, transcript, findPii });
  const accessTo = makeFindCaseAccess(makeConversationAccess({ db }));
  const marks = makeEvaluationMarks({ db });
  const cases = makeEvaluationCases({ db, transcript, fromConversation, accessTo, findPii });
  const startRun = makeStartRun((tx, workspace_id, run_id) =>
    enqueue(tx, run, { workspace_id, run_id }, { key: `evaluation:${run_id}` }),
  );
  const gate = makePublishGates({ db, agentSettings, startRun, accessTo });
  const evaluations = makeEvaluations({ db, agentSettings, fromConversation, marks, startRun, accessTo });
  return {
    jobs: [run],
    gate,
    routes: [...evaluationRoutes(evaluations), ...evaluationCaseRoutes(cases, marks), ...publishGateRoutes(gate)],
    records: makeEvaluationRecords({ db }),
  };
}
