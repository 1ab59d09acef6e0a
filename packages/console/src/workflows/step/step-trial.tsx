import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { inputsOf, nameOf } from '../graph/catalogue.ts';
import type { Step } from '../graph/graph-types.ts';
import { samplesQuery } from '../queries.ts';
import { RunStatusChip } from '../run/run-status.tsx';
import { SampleEditor } from './sample-editor.tsx';
import { readValue } from './typed-value.ts';
import { type TrialResult, useTrial } from './use-trial.ts';
import { ValueRows } from './value-view.tsx';

const words = flowTexts.trial;

/** Runs one step with kept samples or typed values, and nothing else. */
export function StepTrial({ step }: { step: Step }) {
  const { catalogue, mayEdit, mayRun } = useEditor();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const workflowId = useFlow((state) => state.workflow.id);
  const graph = useFlow((state) => state.graph);
  const samples = useQuery({ ...samplesQuery(client, w, workflowId), enabled: mayEdit });
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const trial = useTrial(step);
  const sampleOf = (id: string) => samples.data?.samples.find(({ node_id }) => node_id === id);
  const sources = new Set(
    graph.edges.filter(({ to_id }) => to_id.node_id === step.id).map(({ from_id }) => from_id.node_id),
  );
  const before = graph.nodes.filter(({ id }) => sources.has(id));
  const inputs = catalogue.get(step.type)?.inputs ?? [];
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'workflows', 'samples', workflowId] });
  const save = async (nodeId: string, outputs: Record<string, unknown>) => {
    await client.stepSamples.save(workflowId, { node_id: nodeId, outputs });
    await refresh();
  };
  const remove = async (nodeId: string) => {
    try {
      await client.stepSamples.delete(workflowId, nodeId);
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
  };
  const run = () => {
    const input = Object.fromEntries(
      Object.entries(typed).flatMap(([name, text]) => (text === '' ? [] : [[`${step.id}::${name}`, readValue(text)]])),
    );
    void trial.start(input);
  };
  const refused = (!mayRun && workflowTexts.needsRun) || (!mayEdit && workflowTexts.needsEdit);
  return (
    <div className="flex flex-col gap-5">
      <p className="text-dense text-text-2">{words.help}</p>
      {samples.isError && <ErrorState error={samples.error} onRetry={() => void samples.refetch()} className="m-0" />}
      {inputsOf(step, catalogue).length > 0 && (
        <section aria-label={words.samples} className="flex flex-col gap-2">
          <h3 className="text-label font-semibold">{words.samples}</h3>
          {before.length === 0 && <p className="text-dense text-text-2">{words.noneBefore}</p>}
          {before.map((one) => (
            <SampleEditor
              key={one.id}
              title={words.sampleOf(nameOf(one, catalogue))}
              sample={sampleOf(one.id)}
              outputs={catalogue.get(one.type)?.outputs.map(({ name }) => name) ?? []}
              mayEdit={mayEdit}
              onSave={(outputs) => save(one.id, outputs)}
              onRemove={() => remove(one.id)}
            />
          ))}
        </section>
      )}
      {inputs.length > 0 && (
        <section aria-label={words.values} className="flex flex-col gap-3">
          <h3 className="text-label font-semibold">{words.values}</h3>
          {inputs.map(({ name, label }) => (
            <Field key={name} label={label} help={words.valueHelp}>
              <TextInput
                mono
                value={typed[name] ?? ''}
                onChange={({ target }) => setTyped((old) => ({ ...old, [name]: target.value }))}
              />
            </Field>
          ))}
        </section>
      )}
      <Button
        look="primary"
        className="self-start"
        icon={<Play size={14} aria-hidden />}
        busy={trial.busy}
        refused={refused}
        onClick={run}
      >
        {words.submit}
      </Button>
      {trial.failure !== undefined && <ErrorState error={trial.failure} className="m-0" />}
      {trial.result && (
        <Result result={trial.result} onKeep={mayEdit ? (outputs) => save(step.id, outputs) : undefined} />
      )}
      <section aria-label={words.ownSample} className="flex flex-col gap-2 border-t border-line pt-4">
        <h3 className="text-label font-semibold">{words.ownSample}</h3>
        <p className="text-caption text-text-3">{words.ownSampleHelp}</p>
        <SampleEditor
          title={words.sampleOf(nameOf(step, catalogue))}
          sample={sampleOf(step.id)}
          outputs={catalogue.get(step.type)?.outputs.map(({ name }) => name) ?? []}
          mayEdit={mayEdit}
          onSave={(outputs) => save(step.id, outputs)}
          onRemove={() => remove(step.id)}
        />
      </section>
    </div>
  );
}

interface ResultProps {
  result: TrialResult;
  onKeep: ((outputs: Record<string, unknown>) => Promise<void>) | undefined;
}

function Result({ result: { status, error, outputs }, onKeep }: ResultProps) {
  return (
    <section aria-label={words.result} role="status" className="flex flex-col gap-2">
      <h3 className="flex items-center gap-2 text-label font-semibold">
        {words.result} <RunStatusChip status={status} />
      </h3>
      {error && (
        <Banner tone="bad" title={flowTexts.thisRun.error}>
          {error}
        </Banner>
      )}
      {outputs && <ValueRows label={words.result} values={outputs} />}
      {outputs && onKeep && (
        <Button size="small" className="self-start" onClick={() => void onKeep(outputs).catch(sayFailure)}>
          {words.takeResult}
        </Button>
      )}
    </section>
  );
}
