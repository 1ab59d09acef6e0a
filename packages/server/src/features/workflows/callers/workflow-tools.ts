import { AppError } from '@atrium/contract/errors.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';
import type { ToolProgress } from '@atrium/contract/tools/tool-result.ts';
import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import { z } from 'zod';
import { newId } from '../../../lib/ids.ts';
import { isRecord } from '../../../lib/json/fields-of.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FindReach, ReachRoot } from '../../reach/ports.ts';
import type { Tool, ToolCall } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { Graph, GraphNode } from '../definition/graph.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import { makeLimiter } from '../engine/limiter.ts';
import { outputByLabel, type WorkflowRuns } from '../runs/workflow-runs.ts';
import type { Workflows } from '../service.ts';

interface Entry {
  id: string;
  version_id: string | undefined;
  descriptions: Record<string, unknown>;
  /** The entries of the settings; two entries may name the same workflow. */
  written: readonly Readonly<Record<string, unknown>>[];
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const dictOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The workflows that settings name, in `workflows` or in `tools`, each once. */
function entriesIn(settings: Settings): Entry[] {
  const listed = settings.workflows.flatMap((entry): Entry[] => {
    if (typeof entry === 'string') return [{ id: entry, version_id: undefined, descriptions: {}, written: [] }];
    if (entry.enabled === false) return [];
    const { id, version_id, inputs_descriptions } = entry;
    return [{ id, version_id, descriptions: dictOf(inputs_descriptions), written: [entry] }];
  });
  const tools = settings.tools.flatMap((tool: ToolEntry): Entry[] => {
    const id = tool.type === 'workflow' && tool['enabled'] !== false ? textOf(tool['workflow_id']) : undefined;
    const descriptions = dictOf(tool['inputs_descriptions']);
    return id ? [{ id, version_id: textOf(tool['version_id']), descriptions, written: [tool] }] : [];
  });
  const known = new Map<string, Entry>();
  for (const entry of [...tools, ...listed]) {
    const id = entry.id.toLowerCase();
    known.set(id, { ...entry, written: [...(known.get(id)?.written ?? []), ...entry.written] });
  }
  return [...known.values()];
}

/** The inputs that a caller may fill; inputs with a fixed value are optional. */
const inputsIn = ({ nodes }: Graph): GraphNode[] =>
  [...nodes.values()].filter(({ type }) => type.inputs.length === 1 && type.inputs[0]?.type.endsWith('input'));

function shapeOf(graph: Graph, descriptions: Record<string, unknown>) {
  const shape: Record<string, z.ZodType> = {};
  for (const node of inputsIn(graph)) {
    const { type, value, fixed_value } = node.config;
    const kind =
      type === 'int' || type === 'float'
        ? z.number()
        : type === 'bool'
          ? z.boolean()
          : type === 'list'
            ? z.array(z.unknown())
            : type === 'str'
              ? z.string()
              : z.record(z.string(), z.unknown());
    const about = textOf(descriptions[node.label]) ?? textOf(descriptions[node.id]);
    const field = about ? kind.describe(about) : kind;
    shape[node.label] = fixed_value || (value !== undefined && value !== null) ? field.optional() : field;
  }
  return z.object(shape);
}

const readingCategories: readonly string[] = ['sources', 'integrations', 'agents'];

/**
 * Whether a run of the graph has effects, and whether it reads data from elsewhere. A graph that runs other workflows
 * may do both.
 */
export function graphEffectsOf({ nodes }: Graph) {
  const types = [...nodes.values()].map(({ type }) => type);
  const others = types.some(({ type }) => type === 'SubWorkflowNode');
  const effects = others || types.some(({ effects }) => effects === 'outside');
  const reads =
    others || types.some(({ type, category }) => type === 'FileTextNode' || readingCategories.includes(category));
  return { effects, reads };
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40) || 'run';

/** The progress of a run as replies show it. */
export function toolProgressOf(run: WorkflowRun, title: string, graph: Graph): ToolProgress {
  const states = run.progress_details?.per_node_progress ?? {};
  const nodes = [...graph.nodes.values()].map(({ id, label }) => ({
    id,
    label,
    status: states[id]?.status ?? 'remaining',
  }));
  return { run_id: run.id, workflow_id: run.workflow_id, title, status: run.status, progress: run.progress, nodes };
}

const output = z.object({ status: z.string(), output: z.record(z.string(), z.unknown()) });

/** How often the progress of a run is reported, in milliseconds. */
export const lookEvery = 1000;

type Watched = Pick<WorkflowRuns, 'settled' | 'get'>;

/**
 * Waits until a run is over or waits for an approval, and reports its progress meanwhile. The scope's signal ends the
 * wait.
 */
export async function watchRun(
  runs: Watched,
  scope: Scope,
  run_id: string,
  progress: ((run: WorkflowRun) => void) | undefined,
) {
  let last = '';
  for (;;) {
    await runs.settled(scope, run_id, progress && lookEvery);
    scope.signal.throwIfAborted();
    const run = await runs.get(scope, run_id);
    // Reports are stored with the reply, so the same one is not sent twice.
    const now = `${run.status} ${run.progress}`;
    if (now !== last) progress?.(run);
    last = now;
    if (run.finished_at !== null || run.status === 'awaiting_human_feedback') return run;
  }
}

/** The result of a run for the caller of the tool. Throws ToolError for a failed run. */
export function workflowRunResult(run: WorkflowRun): { status: string; output: Record<string, unknown> } {
  if (run.status === 'failed') throw new ToolError(`The workflow failed: ${run.error?.message ?? ''}`);
  const named = Object.entries(outputByLabel(run.output) ?? {});
  const values = named.map(([label, value]) => [label, value.value] as const);
  return { status: run.status, output: Object.fromEntries(values) };
}

export interface WorkflowToolDeps {
  workflows: Pick<Workflows, 'find' | 'findVersion'>;
  graphs: GraphCache;
  runs: Pick<WorkflowRuns, 'startWithId' | 'settled' | 'get' | 'stop'>;
  findReach: FindReach;
}

const rootOf = (id: string, { version_id }: Entry): ReachRoot => ({
  ...{ kind: 'workflow', id },
  version_id: version_id?.toLowerCase() ?? null,
});

/** Makes tools of workflows: the inputs of a workflow are those of the tool, its outputs the result. */
export function makeWorkflowTools({ workflows, graphs, runs, findReach }: WorkflowToolDeps) {
  /** Undefined for a workflow that was deleted since or cannot run; the agent does without it. */
  async function found(scope: Scope, { id, version_id }: Entry) {
    try {
      const workflow = await workflows.find(scope, id.toLowerCase());
      const held = version_id ? await workflows.findVersion(scope, workflow.id, version_id.toLowerCase()) : workflow;
      return held.valid
        ? { workflow, graph_id: held.graph_id, graph: await graphs(scope.workspace_id, held.graph_id) }
        : undefined;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  async function call(
    scope: Scope,
    entry: Entry,
    { workflow: { id, name }, graph }: { workflow: { id: string; name: string }; graph: Graph },
    input: Record<string, unknown>,
    signal: AbortSignal,
    { taint: brings, progress, run_id: wanted, approved_reach }: ToolCall,
  ) {
    const own = { ...scope, signal, brings, ...(approved_reach !== undefined && { approved_reach }) };
    const body = { input, workflow_version_id: entry.version_id, tracing: false, debugger: false };
    const { id: run_id } = await runs.startWithId(own, id, body, wanted ?? newId()).catch((error: unknown) => {
      throw error instanceof AppError && error.kind === 'conflict' ? new ToolError(error.message) : error;
    });
    try {
      return await watchRun(runs, own, run_id, progress && ((run) => progress(toolProgressOf(run, name, graph))));
    } catch (error) {
      // Stopping the agent stops the workflow that it has started.
      if (signal.aborted) await runs.stop({ ...scope, signal: new AbortController().signal }, run_id);
      throw error;
    }
  }

  return async (scope: Scope, settings: Settings): Promise<Tool[]> => {
    const entries = entriesIn(settings);
    if (entries.length === 0) return [];
    const inTurn = makeLimiter(settings.workflows_parallel_enabled ? 10 : 1);
    const names = new Set<string>();
    const tools: Tool[] = [];
    // A conversation behind a shared link may use all tools of its agent, workflows too.
    const permission = scope.actor.kind === 'link' ? {} : { permission: 'flows_run' as const };
    for (const entry of entries) {
      const there = await found(scope, entry);
      if (!there) continue;
      const { workflow, graph, graph_id } = there;
      const { effects, reads } = graphEffectsOf(graph);
      let name = `workflow_${slug(workflow.name)}`;
      for (let count = 2; names.has(name); count++) name = `workflow_${slug(workflow.name)}_${count}`;
      names.add(name);
      const outputs = [...graph.nodes.values()].flatMap((node) => (node.type.gives ? [node.label] : []));
      tools.push(
        defineTool({
          tool: name,
          description: `Runs the workflow ${workflow.name} (${workflow.id}) and gives ${outputs.join(', ') || 'its end'}.`,
          input: shapeOf(graph, entry.descriptions),
          output,
          repeatable: !effects,
          entries: entry.written,
          pinned: graph_id,
          reach: () => findReach(scope, [rootOf(workflow.id, entry)]),
          ...permission,
          ...(effects && { sends: true as const }),
          ...(reads && { brings: ['untrusted', 'private'] as const }),
          // Runs of workflows have their own time limits.
          outlasts: true,
          async run(own, input, signal, _, about) {
            return workflowRunResult(await inTurn(() => call(own, entry, there, input, signal, about)));
          },
        }),
      );
    }
    return tools;
  };
}
