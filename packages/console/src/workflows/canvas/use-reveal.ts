import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { stepSize } from '../graph/graph-types.ts';
import { positionOf } from '../graph/read-graph.ts';

const margin = 24;

/** Moves the canvas when the step that keys act on is out of view. */
export function useReveal(): void {
  const { store } = useEditor();
  const first = useFlow((state) => state.chosen[0]);
  const { setCenter, getViewport } = useReactFlow();
  const flow = useStoreApi();
  useEffect(() => {
    const step = store.getState().graph.nodes.find(({ id }) => id === first);
    const { width, height } = flow.getState();
    if (!step || width === 0) return;
    const { x, y, zoom } = getViewport();
    const place = positionOf(step);
    const [left, top] = [place.x * zoom + x, place.y * zoom + y];
    const [right, bottom] = [left + stepSize.width * zoom, top + stepSize.height * zoom];
    const isInView = left >= margin && top >= margin && right <= width - margin && bottom <= height - margin;
    if (!isInView) void setCenter(place.x + stepSize.width / 2, place.y + stepSize.height / 2, { zoom });
  }, [store, flow, first, setCenter, getViewport]);
}
