import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { compareGraphs } from '../graph/compare-graphs.ts';
import type { Graph } from '../graph/graph-types.ts';
import { readGraph } from '../graph/read-graph.ts';
import { versionQuery } from '../queries.ts';
import { ChangeList } from './change-list.tsx';
import { GraphPicture } from './graph-picture.tsx';

const words = workflowTexts.versions;

interface ComparisonProps {
  versions: readonly { id: string; name: string }[];
  from: string | undefined;
  to: string | undefined;
  onCompare: (pair: { from: string | undefined; to: string | undefined }) => void;
}

/** The graph of a version, of the draft, or as it is published. */
function useGraphOf(which: string | undefined) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const workflow = useFlow((state) => state.workflow);
  const draft = useFlow((state) => state.graph);
  const isVersion = which !== undefined && which !== 'published' && which !== 'draft';
  const query = useQuery({ ...versionQuery(client, w, workflow.id, which ?? ''), enabled: isVersion });
  const graph: Graph | undefined =
    which === 'draft'
      ? draft
      : which === 'published'
        ? readGraph(workflow.definition)
        : query.data && readGraph(query.data.definition);
  return { graph, error: query.error };
}

/** Two versions in one picture, and in words. */
export function Comparison({ versions, from, to, onCompare }: ComparisonProps) {
  const { catalogue } = useEditor();
  const before = useGraphOf(from);
  const after = useGraphOf(to);
  const options = [
    { value: 'draft', label: words.draft },
    { value: 'published', label: words.now },
    ...versions.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const error = before.error ?? after.error;
  return (
    <div className="mx-auto flex max-w-240 flex-col gap-4">
      <div className="flex flex-wrap gap-4">
        <Field label={words.from} className="w-64">
          <Select
            value={from ?? ''}
            empty="–"
            options={options}
            onChange={(value) => onCompare({ from: value || undefined, to })}
          />
        </Field>
        <Field label={words.to} className="w-64">
          <Select
            value={to ?? ''}
            empty="–"
            options={options}
            onChange={(value) => onCompare({ from, to: value || undefined })}
          />
        </Field>
      </div>
      {error && <ErrorState error={error} className="m-0" />}
      {(!from || !to) && <p className="text-dense text-text-2">{words.choose}</p>}
      {from && to && !error && (!before.graph || !after.graph) && <Loading rows={4} />}
      {before.graph && after.graph && (
        <>
          <GraphPicture before={before.graph} after={after.graph} catalogue={catalogue} />
          <ChangeList changes={compareGraphs(before.graph, after.graph)} catalogue={catalogue} />
        </>
      )}
    </div>
  );
}
