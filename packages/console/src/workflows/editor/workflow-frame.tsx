import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { keepDraft, readDraft } from '../../lib/local-drafts.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { Loading } from '../../ui/states.tsx';
import type { Catalogue } from '../graph/graph-types.ts';
import { type Loaded, loadWorkflow, stepTypesQuery, workflowQuery } from '../queries.ts';
import { makeRunStore } from '../run/run-store.ts';
import { EditorContext } from './editor-context.ts';
import { useCheckGraph } from './use-check-graph.ts';
import { WorkflowHead } from './workflow-head.tsx';
import { makeWorkflowStore } from './workflow-store.ts';

/** Everything of one workflow: it is loaded once for all of its tabs. */
export function WorkflowFrame() {
  const { id } = useParams({ from: '/signed-in/w/$w/workflows/$id' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const mayEdit = useMay()('flows_edit');
  const workflow = useQuery(workflowQuery(client, w, id, mayEdit));
  const types = useQuery(stepTypesQuery(client));
  if (workflow.data && types.data)
    return <LoadedWorkflow key={id} loaded={workflow.data} catalogue={types.data} mayEdit={mayEdit} />;
  const failed = [workflow, types].find(({ isError }) => isError);
  const retry = () => void Promise.all([workflow.refetch(), types.refetch()]);
  const list = { label: workflowTexts.title, to: `/w/${w}/workflows` };
  return (
    <Page title={workflowTexts.title} crumb={list}>
      {failed ? (
        <RecordFailure error={failed.error} onRetry={retry} list={list} />
      ) : (
        <Loading rows={8} onRetry={retry} />
      )}
    </Page>
  );
}

function LoadedWorkflow(props: { loaded: Loaded; catalogue: Catalogue; mayEdit: boolean }) {
  const { loaded, catalogue, mayEdit } = props;
  const { id } = loaded.workflow;
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const mayRun = useMay()('flows_run');
  const [runStore] = useState(makeRunStore);
  const [store] = useState(() => {
    const keepAt = `workflow.${w}.${id}`;
    return makeWorkflowStore(loaded, {
      async save(graph, ifMatch) {
        const saved = await client.workflows.update(
          id,
          { definition: { ...graph } },
          { ifMatch, query: { preview: true } },
        );
        const definition = graph as unknown as Loaded['definition'];
        queries.setQueryData(workflowQuery(client, w, id, mayEdit).queryKey, { workflow: saved, definition });
        return saved;
      },
      load: () => loadWorkflow(client, id, mayEdit),
      keep: (text) => mayEdit && keepDraft(keepAt, text),
      kept: () => (mayEdit ? readDraft(keepAt) : ''),
    });
  });
  useEffect(() => store.adopt(loaded), [store, loaded]);
  useEffect(() => {
    const send = () => void store.flush();
    window.addEventListener('online', send);
    return () => {
      window.removeEventListener('online', send);
      send();
    };
  }, [store]);
  useCheckGraph(store, catalogue, mayEdit);
  const editor = useMemo(
    () => ({ store, runStore, catalogue, mayEdit, mayRun }),
    [store, runStore, catalogue, mayEdit, mayRun],
  );
  return (
    <EditorContext value={editor}>
      <WorkflowHead>
        <Outlet />
      </WorkflowHead>
    </EditorContext>
  );
}
