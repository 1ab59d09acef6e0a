import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { stepSize } from '../graph/graph-types.ts';
import { positionOf } from '../graph/read-graph.ts';

const margin = 24;

/** Moves the canvas when the step that keys act on is out of view, also because a panel opens beside the canvas. */
export function useReveal(): void {
  const { store } = useEditor();
  const first = useFlow((state) => state.chosen[0]);
  const { setCenter, getViewport } = useReactFlow();
  const flow = useStoreApi();
  const width = useStore((state) => state.width);
  useEffect(() => {
    const step = store.getState().graph.nodes.find(({ id }) => id === first);
    const { height } = flow.getState();
    if (!step || width === 0) return;
    const { x, y, zoom } = getViewport();
    const place = positionOf(step);
    const [left, top] = [place.x * zoom + x, place.y * zoom + y];
    const [right, bottom] = [left + stepSize.width * zoom, top + stepSize.height * zoom];
    const isInView = left >= margin && top >= margin && right <= width - margin && bottom <= height - margin;
    if (!isInView) void setCenter(place.x + stepSize.width / 2, place.y + stepSize.height / 2, { zoom });
  }, [store, flow, first, width, setCenter, getViewport]);
}
