import { type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import { useStore } from 'zustand';
import { useEditor } from '../editor/editor-context.ts';
import type { EdgeElement } from './flow-elements.ts';

/** What fits between two columns of steps. */
const mostLetters = 13;

/** The line of a connection: solid where a value went over it, dashed where one is on its way or none will come. */
export const FlowLine = memo(function FlowLine(props: EdgeProps<EdgeElement>) {
  const { id, source, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data, selected, target } =
    props;
  const { runStore } = useEditor();
  const state = useStore(runStore, ({ run, edges, steps }) => {
    if (!run) return undefined;
    const isComing = steps[source]?.status === 'running' || steps[target]?.status === 'running';
    return edges[id] ?? (isComing ? 'running' : 'remaining');
  });
  const [path] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const isDone = state === 'completed';
  const color = selected
    ? 'var(--accent)'
    : isDone
      ? 'var(--ok)'
      : state === 'running'
        ? 'var(--accent)'
        : 'var(--control)';
  return (
    <>
      <path d={path} fill="none" stroke="transparent" strokeWidth={16} className="react-flow__edge-interaction" />
      <path
        d={path}
        fill="none"
        data-edge-state={state}
        className="react-flow__edge-path"
        style={{
          stroke: color,
          strokeWidth: isDone || selected ? 2 : 1.5,
          ...(state === 'skipped' && { strokeDasharray: '2 4', opacity: 0.6 }),
          ...(state === 'running' && { strokeDasharray: '6 4' }),
        }}
      />
      {data?.label && (
        <text
          x={sourceX + 8}
          y={sourceY + (targetY < sourceY ? -8 : 14)}
          className="text-caption"
          style={{ fill: 'var(--text-2)', paintOrder: 'stroke', stroke: 'var(--bg)', strokeWidth: 4 }}
        >
          <title>{data.label}</title>
          {data.label.length > mostLetters ? `${data.label.slice(0, mostLetters - 1)}…` : data.label}
        </text>
      )}
    </>
  );
});
