import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { makeExecutor } from '../../execution/executor.ts';
import type { Slots } from '../../execution/slots.ts';
import { workflowApprovalRoutes } from '../../features/approvals/handlers.ts';
import {
  makeRunDeciders,
  makeStepApprovals,
  makeWorkflowApprovals,
  onStepDecision,
} from '../../features/approvals/workflow-approvals.ts';
import { makeWorkflowRequests } from '../../features/approvals/workflow-requests.ts';
import type { Keyring } from '../../features/keyring/service.ts';
import type { FindHiddenRuns } from '../../features/ownership/service.ts';
import type { FindReach } from '../../features/reach/ports.ts';
import type { ReferenceCheckers, ReferenceLookups, SettingsWarnings } from '../../features/settings/ports.ts';
import type { NamedVariables } from '../../features/variables/ports.ts';
import { makeFlowDriver } from '../../features/workflows/callers/flow-driver.ts';
import { makeWorkflowTools } from '../../features/workflows/callers/workflow-tools.ts';
import { makeGraphCache } from '../../features/workflows/definition/graph-cache.ts';
import type { FindVariables } from '../../features/workflows/definition/require-variables-read.ts';
import { makeDefinitionSaver } from '../../features/workflows/definition/save-definition.ts';
import { workflowDraftRoutes } from '../../features/workflows/drafts/draft-handlers.ts';
import { makeWorkflowDrafts } from '../../features/workflows/drafts/workflow-drafts.ts';
import { makeEngine } from '../../features/workflows/engine/run-execution.ts';
import { type KeyHoldsPermission, makeRunVariables } from '../../features/workflows/engine/run-variables.ts';
import { workflowExchangeRoutes } from '../../features/workflows/exchange/exchange-handlers.ts';
import { makeWorkflowExport } from '../../features/workflows/exchange/export-workflow.ts';
import { makeWorkflowImport } from '../../features/workflows/exchange/import-workflow.ts';
import { makeWorkflowRecords } from '../../features/workflows/exchange/workflow-records.ts';
import { workflowRoutes } from '../../features/workflows/handlers.ts';
import { makeWorkflowJobs } from '../../features/workflows/jobs.ts';
import type { ExecutableNode } from '../../features/workflows/nodes/define-node.ts';
import { makeNodeRegistry } from '../../features/workflows/nodes/node-registry.ts';
import { makeAfterRunEnd } from '../../features/workflows/runs/after-run-end.ts';
import { makeCallbackKeys } from '../../features/workflows/runs/callbacks/callback-keys.ts';
import { makeJournal } from '../../features/workflows/runs/journal.ts';
import { workflowRunRoutes } from '../../features/workflows/runs/run-handlers.ts';
import { lockWorkflowRun, type RunRow, runQueue, startRun } from '../../features/workflows/runs/run-store.ts';
import {
  makeWorkflowRuns,
  type WorkflowRuns,
  type WorkflowRunsDeps,
} from '../../features/workflows/runs/workflow-runs.ts';
import { makeWorkflowStreams } from '../../features/workflows/runs/workflow-streams.ts';
import { stepSampleRoutes } from '../../features/workflows/samples/sample-handlers.ts';
import { makeSampleReader, makeStepSamples } from '../../features/workflows/samples/step-samples.ts';
import { makeWorkflowService } from '../../features/workflows/service.ts';
import { makeWorkflowStepReader } from '../../features/workflows/tracing/workflow-run-steps.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { enqueue } from '../../worker/worker.ts';
import { composeWorkflowNodes, type NodeOptions } from './workflow-nodes.ts';

export interface WorkflowsOptions extends NodeOptions {
  findHiddenRuns: FindHiddenRuns;
  db: Database;
  notifier: Notifier;
  log: Log;
  web: Web;
  keyring: Keyring;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
  variables: NamedVariables;
  findVariables: FindVariables;
  warnOfModels: SettingsWarnings;
  findReach: FindReach;
  keyHolds: KeyHoldsPermission;
  /** Shared with the agent runs. */
  slots: Slots;
  alone?: boolean | undefined;
  requireBudget: WorkflowRunsDeps['requireBudget'];
  /** For how many days finished runs are kept; 0: for ever. */
  run_days: number;
  /** Nodes besides the built-in ones. */
  nodes?: readonly ExecutableNode[];
}

/** Composes workflows: their nodes, their storage and their runs. */
export function composeWorkflows(options: WorkflowsOptions) {
  const { db, notifier, log, web, keyring, references, lookups, variables, slots, alone, run_days, warnOfModels } =
    options;
  const nodes = makeNodeRegistry([...composeWorkflowNodes(options), ...(options.nodes ?? [])]);
  const saver = makeDefinitionSaver({ db, nodes, references, findVariables: options.findVariables, warnOfModels });
  const workflows = makeWorkflowService({ db, saver });
  const graphs = makeGraphCache({ db, nodes });
  const node_id = newId();
  const journal = makeJournal({ db, notifier, node_id });
  const keys = makeCallbackKeys({ db, keyring });
  const jobs = makeWorkflowJobs({ db, web, keys, run_days, runs: () => runs });
  const callback = (tx: Db, run: RunRow) => enqueue(tx, jobs.callback, { workspace_id: run.group_id, run_id: run.id });
  const aftermath = makeAfterRunEnd({
    workflows,
    node_id,
    callback,
    notifyWaiting: () => executor.notifyWaiting(),
  });
  const engine = makeEngine({
    db,
    recoverTokens: options.accounts.recover,
    approvals: makeStepApprovals({ db }),
    journal,
    node_id,
    graph: graphs,
    currentGraph: workflows.currentGraph,
    variables: makeRunVariables(variables, options.keyHolds),
    findReach: options.findReach,
    alongside: aftermath,
  });
  const executor = makeExecutor<RunRow, undefined>({
    db,
    notifier,
    log,
    topic: 'workflow-run',
    queue: runQueue,
    runLog: journal,
    node_id,
    alone,
    slots,
    begin: ({ group_id, id }) => startRun(db, group_id, id, node_id),
    execute: engine.execute,
  });
  onStepDecision(notifier, engine.wakeWaitingSteps);
  const readSamples = makeSampleReader({ db });
  const samples = makeStepSamples({
    ...{ db, workflows, nodes, journal, readSamples, decidersOf: makeRunDeciders({ db }) },
  });
  const runs: WorkflowRuns = makeWorkflowRuns({
    ...{ db, journal, graphs, workflows, executor, callback },
    ...{ requireBudget: options.requireBudget, readSamples, findHiddenRuns: options.findHiddenRuns },
  });
  const approvals = makeWorkflowApprovals({
    ...{ db, notifier },
    runs: { find: runs.find, lock: lockWorkflowRun, resume: executor.resume },
  });
  const streams = makeWorkflowStreams({ graphs, journal });
  return {
    records: makeWorkflowRecords({ db, nodes }),
    workflows,
    runs,
    streams,
    stepsOf: makeWorkflowStepReader({ db, journal, graphs }),
    executor,
    approvals,
    jobs,
    toolsFor: makeWorkflowTools({ workflows, graphs, runs, findReach: options.findReach }),
    graphs,
    requests: makeWorkflowRequests({ db }),
    drive: makeFlowDriver({ workflows, graphs, runs }),
    routes: [
      ...workflowRoutes(workflows, nodes, samples),
      ...stepSampleRoutes(samples),
      ...workflowExchangeRoutes({
        exporting: makeWorkflowExport({ db, workflows, nodes, references, lookups }),
        importing: makeWorkflowImport({
          ...{ db, workflows, saver, nodes, references, lookups },
          findVariables: options.findVariables,
        }),
      }),
      ...workflowDraftRoutes(makeWorkflowDrafts({ db, workflows, saver })),
      ...workflowRunRoutes(runs, keys),
      ...workflowApprovalRoutes(approvals),
    ],
  };
}
