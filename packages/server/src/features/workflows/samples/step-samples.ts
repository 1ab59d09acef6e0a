import { conflict, forbidden, InvalidRequest, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { outputsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import {
  mostSamplesText,
  mostSampleText,
  type SampleSave,
  type StepSample,
  type StepSamples,
} from '@atrium/contract/workflows/sample-schema.ts';
import type { ExpressionEvaluate } from '@atrium/contract/workflows/trial-schema.ts';
import type { Database } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import { withActor, withActors } from '../../actors/service.ts';
import { accessToRun } from '../../ownership/service.ts';
import { wrong } from '../definition/check-definition.ts';
import { readDraft } from '../drafts/save-draft.ts';
import type { Outputs } from '../nodes/define-node.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { Journal } from '../runs/journal.ts';
import type { StepEnd } from '../runs/journal-events.ts';
import { findRun, readValues } from '../runs/run-store.ts';
import type { Workflows } from '../service.ts';
import { namesFromSamples } from './names-from-samples.ts';
import * as store from './sample-store.ts';

export interface StepSampleService {
  list(scope: Scope, workflow_id: string): Promise<StepSamples>;
  save(scope: Scope, workflow_id: string, body: SampleSave): Promise<StepSample>;
  remove(scope: Scope, workflow_id: string, node_id: string): Promise<void>;
  /** The sample of an expression, with what the samples before its step give. */
  fillSample(scope: Scope, body: ExpressionEvaluate): Promise<ExpressionEvaluate>;
}

/** The kept outputs by step. */
export type ReadSamples = (scope: Scope, workflow_id: string) => Promise<Map<string, Outputs>>;

export const makeSampleReader =
  ({ db }: { db: Database }): ReadSamples =>
  async ({ workspace_id }, workflow_id) => {
    const rows = await store.listSamples(db, workspace_id, workflow_id);
    return new Map(rows.map(({ node_id, outputs }) => [node_id, JSON.parse(outputs) as Outputs]));
  };

const anId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const shown = ({
  workflow_id: _,
  outputs,
  ...row
}: store.SampleRow & Pick<StepSample, 'saved_by_actor'>): StepSample => ({
  ...row,
  outputs: JSON.parse(outputs),
});

interface DefinedStep {
  id?: unknown;
  type?: unknown;
}

export function makeStepSamples(deps: {
  db: Database;
  workflows: Workflows;
  nodes: NodeRegistry;
  journal: Pick<Journal, 'all'>;
  readSamples: ReadSamples;
  /** The ids of who has decided approvals of a run. */
  decidersOf(workspace_id: string, run_id: string): Promise<string[]>;
}): StepSampleService {
  const { db, workflows, nodes, journal, readSamples, decidersOf } = deps;

  /** The definition that is edited: the draft, or what is published where there is none. */
  const editedDefinition = async (scope: Scope, workflow_id: string) =>
    JSON.parse((await readDraft(db, scope, await workflows.find(scope, workflow_id))).definition);

  async function requireOutputs(scope: Scope, workflow_id: string, node_id: string, outputs: Outputs): Promise<void> {
    const published = JSON.parse((await workflows.find(scope, workflow_id)).definition);
    const steps: DefinedStep[] = [published, await editedDefinition(scope, workflow_id)].flatMap((one) => one.nodes);
    const types = steps.flatMap(({ id, type }) =>
      id === node_id && typeof type === 'string' ? [nodes.get(type)] : [],
    );
    const type = types.find((one) => one !== undefined && !one.handles_errors);
    if (!type)
      throw new InvalidRequest([wrong(['body', 'node_id'], 'there is no such node in this workflow', node_id)]);
    const known = new Set(types.flatMap((one) => (one ? outputsOf(one) : [])).map(({ name }) => name));
    const unknown = Object.keys(outputs).filter((name) => !known.has(name));
    if (unknown.length)
      throw new InvalidRequest(
        unknown.map((name) => wrong(['body', 'outputs', name], `${type.type} has no output ${name}`, name)),
      );
  }

  /** The outputs of a step in a run, and the ids of who the run acted for and who decided in it. */
  async function outputsIn(scope: Scope, workflow_id: string, run_id: string, node_id: string) {
    if (!allows(scope.permissions, 'flows_run'))
      throw forbidden(`${lacksPermission(scope, 'flows_run')}, which outputs of a run need`);
    const { workspace_id } = scope;
    const run = await findRun(db, workspace_id, run_id);
    if (run?.workflow_id !== workflow_id || (await accessToRun(db, scope, run_id)) !== 'whole') throw notFound('run');
    const events = (await journal.all(workspace_id, run_id)).flatMap((batch) => batch.events);
    // The step may stand in rounds of loops, but not in a workflow inside of this one.
    const isStep = (path: string) => {
      const parts = path.split('/');
      return parts.at(-1) === node_id && parts.slice(0, -1).every((part) => /#\d+$/.test(part));
    };
    const end = events.findLast(
      (event): event is StepEnd => event.type === 'end' && event.status === 'completed' && isStep(event.node),
    );
    if (!end) throw conflict('The step has not completed in this run', 'no_outputs');
    const values = await readValues(db, workspace_id, run_id, Object.values(end.large ?? {}));
    const large = Object.entries(end.large ?? {}).map(([name, id]) => [name, values.get(id) ?? null]);
    const { actor, person_id } = run.principal;
    const ids = [actor.id, person_id ?? '', ...(await decidersOf(workspace_id, run_id))];
    return { outputs: { ...end.outputs, ...Object.fromEntries(large) } as Outputs, ids };
  }

  return {
    async list(scope, workflow_id) {
      await workflows.find(scope, workflow_id);
      const rows = await withActors(
        db,
        scope,
        await store.listSamples(db, scope.workspace_id, workflow_id),
        'saved_by',
      );
      const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
      return { samples: rows.map(shown), bytes, max_bytes: mostSamplesText };
    },

    async save(scope, workflow_id, { node_id, outputs: sent, run_id }) {
      await workflows.find(scope, workflow_id);
      if ((sent === undefined) === (run_id === undefined))
        throw new InvalidRequest([wrong(['body', 'outputs'], 'send either outputs or a run', null)]);
      const taken = run_id === undefined ? undefined : await outputsIn(scope, workflow_id, run_id, node_id);
      const outputs = taken?.outputs ?? sent ?? {};
      await requireOutputs(scope, workflow_id, node_id, outputs);
      const text = JSON.stringify(outputs);
      if (text.length > mostSampleText)
        throw new InvalidRequest([
          wrong(['body', 'outputs'], `a sample has at most ${mostSampleText} characters`, null),
        ]);
      const mentions = new Set([text, ...(taken?.ids ?? [])].flatMap((one) => one.toLowerCase().match(anId) ?? []));
      return db.transaction(scope, async (tx) => {
        // The lock makes saves of one workflow take turns, so that the sum holds.
        await workflows.find(scope, workflow_id, tx, true);
        const sample = { workflow_id, node_id, outputs: text, run_id: run_id ?? null, mentions: [...mentions] };
        await store.saveSample(tx, scope.workspace_id, sample);
        const rows = await store.listSamples(tx, scope.workspace_id, workflow_id);
        if (rows.reduce((sum, row) => sum + row.bytes, 0) > mostSamplesText)
          throw conflict('The samples of this workflow would be too large together; delete some', 'samples_full');
        const row = required(rows.find((one) => one.node_id === node_id));
        return shown(await withActor(tx, scope, row, 'saved_by'));
      });
    },

    async remove(scope, workflow_id, node_id) {
      await workflows.find(scope, workflow_id);
      await db.write(scope, async (tx) => {
        if (!(await store.deleteSample(tx, scope.workspace_id, workflow_id, node_id))) throw notFound('sample');
      });
    },

    async fillSample(scope, body) {
      if (body.workflow_id === undefined) return body;
      if (!allows(scope.permissions, 'flows_edit'))
        throw forbidden(`${lacksPermission(scope, 'flows_edit')}, which samples of a workflow need`);
      const definition = await editedDefinition(scope, body.workflow_id);
      const names = namesFromSamples(definition, body.node_id ?? '', nodes, await readSamples(scope, body.workflow_id));
      return { ...body, sample: { ...names, ...body.sample } };
    },
  };
}
