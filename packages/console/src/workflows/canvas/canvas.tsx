import '@xyflow/react/dist/base.css';
import {
  applyNodeChanges,
  Background,
  type Connection,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import { type CSSProperties, type FocusEvent, useEffect, useMemo, useState } from 'react';
import { useIsPhone } from '../../lib/use-is-phone.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { useBuild } from '../editor/build-context.ts';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { useArrowKeys } from '../editor/use-graph-keys.ts';
import { inputsOf, outputsOf, usualLink } from '../graph/catalogue.ts';
import { positionOf } from '../graph/read-graph.ts';
import { CanvasControls } from './canvas-controls.tsx';
import { type Element, edgeElementsOf, elementsOf } from './flow-elements.ts';
import { FlowLine } from './flow-line.tsx';
import { RemarkNode } from './remark-node.tsx';
import { StepNode } from './step-node.tsx';
import { useReveal } from './use-reveal.ts';

const nodeTypes = { step: StepNode, remark: RemarkNode };
const edgeTypes = { flow: FlowLine };
const look = {
  '--xy-background-color': 'var(--bg)',
  '--xy-background-pattern-color': 'var(--line-2)',
  '--xy-selection-background-color': 'color-mix(in srgb, var(--accent) 12%, transparent)',
  '--xy-selection-border': '1px solid var(--accent)',
  '--xy-connectionline-stroke': 'var(--accent)',
} as CSSProperties;
/** Larger graphs open at their beginning in full size, not as a cloud of dots. */
const mostInOneView = 40;

export const Canvas = () => (
  <ReactFlowProvider>
    <CanvasOfSteps />
  </ReactFlowProvider>
);

function CanvasOfSteps() {
  const { store, catalogue, mayEdit } = useEditor();
  const { commands, open, opened, show } = useBuild();
  const graph = useFlow((state) => state.graph);
  const chosen = useFlow((state) => state.chosen);
  const faults = useFlow((state) => state.faults);
  const canEdit = !useIsPhone() && mayEdit;
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { step } of faults) if (step) found.set(step, (found.get(step) ?? 0) + 1);
    return found;
  }, [faults]);
  const looked = { graph, chosen, faults: counts, catalogue };
  const [elements, setElements] = useState<Element[]>(() => elementsOf(looked, []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looked` is made of these.
  useEffect(() => setElements((old) => elementsOf(looked, old)), [graph, chosen, counts, catalogue]);
  const edges = useMemo(() => edgeElementsOf(graph, catalogue), [graph, catalogue]);
  useReveal();
  const onArrow = useArrowKeys(commands, opened, open);
  const onNodesChange = (changes: NodeChange<Element>[]) => {
    const picks = changes.filter((change) => change.type === 'select');
    if (picks.length) {
      const now = new Set(store.getState().chosen);
      for (const { id, selected } of picks) selected ? now.add(id) : now.delete(id);
      store.choose([...now]);
    }
    const others = changes.filter((change) => change.type === 'position' || change.type === 'dimensions');
    if (others.length) setElements((old) => applyNodeChanges(others, old));
  };
  const onConnect = ({ source, target }: Connection) => {
    const steps = store.getState().graph.nodes;
    const [from, to] = [source, target].map((id) => steps.find((step) => step.id === id));
    const link = usualLink(store.getState().graph, catalogue, source, target);
    const isPlain =
      from && to && outputsOf(from, catalogue).length <= 2 && inputsOf(to, catalogue).length <= 1 && link !== undefined;
    if (isPlain) commands.connect(link);
    else show({ kind: 'connect', from: source, to: target });
  };
  /** The step that has the focus is the one that keys act on. */
  const onFocus = ({ target }: FocusEvent) => {
    const id = target.classList.contains('react-flow__node') ? target.getAttribute('data-id') : null;
    if (id && !store.getState().chosen.includes(id)) store.choose([id]);
  };
  const isLarge = graph.nodes.length > mostInOneView;
  const begin = graph.nodes[0] ? positionOf(graph.nodes[0]) : { x: 0, y: 0 };
  return (
    <section
      aria-label={flowTexts.canvas.label}
      className="min-h-0 flex-1"
      style={look}
      onKeyDown={onArrow}
      onFocus={onFocus}
    >
      <p className="sr-only">{flowTexts.canvas.keys}</p>
      <ReactFlow<Element>
        nodes={elements}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onConnect={onConnect}
        onNodeClick={(_, { id, type }) => type === 'step' && open(id)}
        onNodeDragStop={(_, __, moved) => commands.moveTo(new Map(moved.map(({ id, position }) => [id, position])))}
        onEdgesDelete={(gone) => commands.disconnect(gone.map(({ id }) => id))}
        onlyRenderVisibleElements
        disableKeyboardA11y
        deleteKeyCode={null}
        nodesDraggable={canEdit}
        nodesConnectable={canEdit}
        edgesFocusable={false}
        elevateNodesOnSelect={false}
        panOnScroll
        minZoom={0.1}
        maxZoom={2}
        {...(isLarge
          ? { defaultViewport: { x: 60 - begin.x, y: 120 - begin.y, zoom: 1 } }
          : // Sizes are known before the canvas can move, so the first fit is asked for once it can.
            { onInit: ({ fitView }) => void fitView({ maxZoom: 1, padding: 0.15 }) })}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} size={1.5} />
        <CanvasControls />
      </ReactFlow>
    </section>
  );
}
