import { AtriumError } from '@atrium/sdk';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useClient } from '../../api/session.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import type { Catalogue } from '../graph/graph-types.ts';
import { placeFaults } from '../graph/place-faults.ts';
import type { WorkflowStore } from './workflow-store.ts';

const pause = 350;

/** Has the server check the graph a moment after each change; what is wrong is shown at its place. */
export function useCheckGraph(store: WorkflowStore, catalogue: Catalogue, enabled: boolean): void {
  const client = useClient();
  const graph = useStore(store, (state) => state.graph);
  const type = useStore(store, (state) => state.workflow.type);
  useEffect(() => {
    if (!enabled) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const check = async () => {
      try {
        const { errors } = await client.workflows.validate({ type, definition: { ...graph } }, { signal });
        if (!signal.aborted) store.setState({ faults: placeFaults(errors, graph, catalogue) });
      } catch (error) {
        if (signal.aborted || !(error instanceof AtriumError) || error.code !== 'variables_forbidden') return;
        const nowhere = { step: undefined, field: undefined, input: undefined, edge: undefined };
        store.setState({ faults: [{ text: flowTexts.faults.forbidden, ...nowhere }] });
      }
    };
    const timer = setTimeout(() => void check(), pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, store, graph, type, catalogue, enabled]);
}
