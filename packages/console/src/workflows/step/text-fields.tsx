import { AtriumError } from '@atrium/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import type { CodeCompletion, CodePlace } from '../../ui/code/editor-types.ts';
import { useFlow } from '../editor/editor-context.ts';
import type { Step } from '../graph/graph-types.ts';
import { runInputsOf } from '../run/run-inputs.ts';
import { useRunSample } from './use-run-sample.ts';
import { ValueText } from './value-view.tsx';

const words = flowTexts.step;

interface TextFieldProps {
  step: Step;
  label: string;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}

/** The names that a step can read: what comes in by key, and the inputs of the run. */
function useNames(step: Step) {
  const graph = useFlow((state) => state.graph);
  return useMemo(() => {
    const incoming = graph.edges.filter(({ to_id }) => to_id.node_id === step.id);
    const keys = incoming.flatMap(({ to_id }) => (to_id.key ? [to_id.key] : []));
    const plain = incoming.flatMap(({ to_id }) => (to_id.key ? [] : [to_id.connector_name]));
    return {
      keys: [...new Set(keys)],
      plain: [...new Set(plain)],
      inputs: runInputsOf(graph).map(({ label }) => label),
    };
  }, [graph, step.id]);
}

/** An expression with its value for the last run, and what can stand at the cursor. */
export function ExpressionField({ step, label, value, readOnly, onChange }: TextFieldProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const workflowId = useFlow((state) => state.workflow.id);
  const names = useNames(step);
  const { sample, isPending } = useRunSample(step);
  const asked = useDeferredValue(value);
  const ask = (expression: string, cursor?: number) =>
    client.workflows.evaluateExpression({
      expression,
      ...(cursor !== undefined && { cursor }),
      ...(sample ? { sample } : { workflow_id: workflowId, node_id: step.id }),
    });
  const { data, error } = useQuery({
    queryKey: [w, 'expressions', workflowId, step.id, asked, sample ?? null],
    queryFn: () => ask(asked),
    enabled: asked.trim() !== '' && !isPending,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const complete = async ({ text, position, word, asked: isAsked }: CodePlace) => {
    if (!word && !isAsked) return undefined;
    const local = [...names.keys, ...names.plain].map(
      (name): CodeCompletion => ({ label: name, kind: 'variable', detail: words.comingIn }),
    );
    const begin = position - (word.split('.').at(-1)?.length ?? 0);
    try {
      const { completions, replace_from } = await ask(text, position);
      const found = completions.map(
        ({ text: name, kind }): CodeCompletion => ({
          label: name,
          kind: kind === 'function' ? 'function' : kind === 'key' ? 'property' : 'variable',
        }),
      );
      const known = new Set(found.map((entry) => entry.label));
      const more = word.includes('.') ? [] : local.filter((entry) => !known.has(entry.label));
      return { from: replace_from, options: [...more, ...found] };
    } catch {
      return { from: begin, options: local };
    }
  };
  const isUnsampled = error instanceof AtriumError || (data?.error && !sample && data.error.at === null);
  return (
    <div className="flex flex-col gap-1.5">
      <CodeEditor
        label={label}
        language="expression"
        value={value}
        readOnly={readOnly}
        rows={2}
        onChange={onChange}
        completions={complete}
      />
      <div aria-live="polite" className="rounded-2 bg-bg px-2.5 py-1.5 text-dense">
        <p className="text-caption text-text-3">{words.value}</p>
        {!data || isUnsampled ? (
          <p className="text-text-2">{words.noValue}</p>
        ) : data.error ? (
          <p className="text-bad">{data.error.message}</p>
        ) : (
          <ValueText value={data.value} />
        )}
      </div>
    </div>
  );
}

/** A text that values are filled into: `((` offers what comes in, `{{` the variables of the workspace. */
export function TemplateField({ step, label, value, readOnly, onChange }: TextFieldProps) {
  const client = useClient();
  const names = useNames(step);
  const complete = async ({ text, position }: CodePlace) => {
    const before = text.slice(0, position);
    const [, key] = /\(\(([^()]*)$/.exec(before) ?? [];
    if (key !== undefined) {
      const options = [...new Set([...names.keys, ...names.inputs])].map(
        (name): CodeCompletion => ({
          ...{ label: name, kind: 'variable', detail: words.comingIn },
          insert: text.startsWith('))', position) ? name : `${name}))`,
        }),
      );
      return { from: position - key.length, options };
    }
    const [, name] = /\{\{([^{}]*)$/.exec(before) ?? [];
    if (name === undefined) return undefined;
    const { items } = await client.variables.list({
      view: 'summary',
      size: 50,
      ...(name.trim() && { search: name.trim() }),
    });
    const options = items.map(
      (variable): CodeCompletion => ({
        ...{ label: variable.name, kind: 'variable' },
        insert: text.startsWith('}}', position) ? variable.name : `${variable.name}}}`,
      }),
    );
    return { from: position - name.length, options };
  };
  return (
    <div className="flex flex-col gap-1">
      <CodeEditor
        label={label}
        language="text"
        value={value}
        readOnly={readOnly}
        rows={3}
        onChange={onChange}
        completions={complete}
      />
      {!readOnly && <p className="text-caption text-text-3">{words.typeForValue}</p>}
    </div>
  );
}
