import type { Bell } from '../db/bell.ts';
import type { Database, Db } from '../db/database.ts';
import type { Web } from '../drivers/web/driver.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import { makeExecutor } from '../features/runs/executor.ts';
import { makeSlots, type SlotLimits } from '../features/runs/slots.ts';
import type { ReferenceCheckers } from '../features/settings/references.ts';
import type { NamedVariables } from '../features/variables/named.ts';
import { makeAftermath } from '../features/workflows/aftermath.ts';
import { approvalTopic, makeRunApprovals } from '../features/workflows/approvals.ts';
import { makeAsked } from '../features/workflows/asked.ts';
import { makeCallbackKeys } from '../features/workflows/callback-key.ts';
import { makeEngine } from '../features/workflows/engine/execute.ts';
import { makeFlowDriver } from '../features/workflows/flow-driver.ts';
import { makeGraphs } from '../features/workflows/graphs.ts';
import { makeWorkflowJobs } from '../features/workflows/jobs.ts';
import { makeJournal } from '../features/workflows/journal.ts';
import type { NodeType } from '../features/workflows/node.ts';
import { makeNodeRegistry } from '../features/workflows/registry.ts';
import { workflowRoutes } from '../features/workflows/routes.ts';
import { workflowRunRoutes } from '../features/workflows/run-routes.ts';
import { type RunRow, runQueue, startRun } from '../features/workflows/run-store.ts';
import { makeWorkflowRuns, type WorkflowRuns } from '../features/workflows/runs.ts';
import { makeWorkflowService } from '../features/workflows/service.ts';
import { makeWorkflowStreams } from '../features/workflows/streams.ts';
import { makeWorkflowTools } from '../features/workflows/tools.ts';
import type { FindVariables } from '../features/workflows/variable-nodes.ts';
import { type KeyHolds, makeRunVariables } from '../features/workflows/variables.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { enqueue } from '../worker/worker.ts';
import { makeNodes, type NodeOptions } from './workflow-nodes.ts';

export interface WorkflowsOptions extends NodeOptions {
  db: Database;
  bell: Bell;
  log: Log;
  web: Web;
  keyring: Keyring;
  references: ReferenceCheckers;
  variables: NamedVariables;
  findVariables: FindVariables;
  keyHolds: KeyHolds;
  limits: SlotLimits;
  alone?: boolean | undefined;
  /** For how long runs are kept that are over; 0: for ever. */
  run_days: number;
  /** Besides the built-in ones. */
  nodes?: readonly NodeType[];
}

/** Workflows: the nodes they are built of, what is stored of them, and how they run. */
export function makeWorkflows(options: WorkflowsOptions) {
  const { db, bell, log, web, keyring, references, variables, limits, alone, run_days } = options;
  const nodes = makeNodeRegistry([...makeNodes(options), ...(options.nodes ?? [])]);
  const workflows = makeWorkflowService({ db, nodes, references, findVariables: options.findVariables });
  const graphs = makeGraphs({ db, nodes });
  const node_id = newId();
  const journal = makeJournal({ db, bell, node_id });
  const keys = makeCallbackKeys({ db, keyring });
  const jobs = makeWorkflowJobs({ db, web, keys, run_days, runs: () => runs });
  const callback = (tx: Db, run: RunRow) => enqueue(tx, jobs.callback, { workspace_id: run.group_id, run_id: run.id });
  const aftermath = makeAftermath({
    workflows,
    node_id,
    callback,
    waits: () => executor.waits(),
  });
  const engine = makeEngine({
    db,
    journal,
    node_id,
    graph: graphs,
    currentGraph: workflows.currentGraph,
    variables: makeRunVariables(variables, options.keyHolds),
    alongside: aftermath,
  });
  const executor = makeExecutor<RunRow, undefined>({
    db,
    bell,
    log,
    topic: 'workflow-run',
    queue: runQueue,
    runLog: journal,
    node_id,
    alone,
    slots: makeSlots(limits),
    begin: ({ group_id, id }) => startRun(db, group_id, id, node_id),
    async execute(scope, run, signal) {
      await options.accounts.recover(run, scope.accounts);
      await engine.execute(scope, run, signal);
    },
  });
  bell.on(approvalTopic, (run_id) => void engine.look(run_id));
  const runs: WorkflowRuns = makeWorkflowRuns({ db, journal, graphs, workflows, executor, callback });
  const asked = makeRunApprovals({ db, bell, executor, runs });
  const streams = makeWorkflowStreams({ graphs, journal });
  return {
    workflows,
    runs,
    streams,
    executor,
    jobs,
    toolsFor: makeWorkflowTools({ workflows, graphs, runs }),
    asked: makeAsked({ db }),
    drive: makeFlowDriver({ workflows, graphs, runs }),
    routes: [...workflowRoutes(workflows, nodes), ...workflowRunRoutes(runs, asked, keys)],
  };
}
