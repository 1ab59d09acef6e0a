import { workflowTexts } from '../../text/workflows.ts';
import { nameOf } from '../graph/catalogue.ts';
import { type Change, compareGraphs } from '../graph/compare-graphs.ts';
import { type Catalogue, type Edge, type Graph, stepSize } from '../graph/graph-types.ts';
import { positionOf } from '../graph/read-graph.ts';

const words = workflowTexts.changes;
const strokes: Readonly<Record<Change, string>> = {
  ...{ added: 'var(--ok)', removed: 'var(--bad)', changed: 'var(--warn)', moved: 'var(--control)' },
};
const fills: Readonly<Record<Change, string>> = {
  ...{ added: 'var(--ok-soft)', removed: 'var(--bad-soft)', changed: 'var(--warn-soft)', moved: 'var(--surface)' },
};
const signs: Readonly<Record<Change, string>> = { added: '+ ', removed: '− ', changed: '✎ ', moved: '' };
const padding = 24;
const cut = (text: string) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

interface Props {
  before: Graph;
  after: Graph;
  catalogue: Catalogue;
}

/** Both graphs in one picture: what was added, removed and changed has its colour and its sign. The list has all of it in words. */
export function GraphPicture({ before, after, catalogue }: Props) {
  const { steps, edges } = compareGraphs(before, after);
  const changeOf = new Map(steps.map(({ id, change }) => [id, change]));
  const gone = before.nodes.filter(({ id }) => changeOf.get(id) === 'removed');
  const all = [...after.nodes, ...gone];
  if (all.length === 0) return null;
  const places = new Map(all.map((step) => [step.id, positionOf(step)]));
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - padding, Math.min(...ys) - padding];
  const width = Math.max(...xs) + stepSize.width + padding - left;
  const height = Math.max(...ys) + stepSize.height + padding - top;
  const removedEdges = edges.filter(({ change }) => change === 'removed').map(({ edge }) => edge);
  const added = new Set(edges.filter(({ change }) => change === 'added').map(({ edge }) => edge));
  const line = (edge: Edge, color: string, isGone = false) => {
    const [from, to] = [places.get(edge.from_id.node_id), places.get(edge.to_id.node_id)];
    if (!from || !to) return null;
    const [x1, y1] = [from.x + stepSize.width, from.y + stepSize.height / 2];
    const [x2, y2] = [to.x, to.y + stepSize.height / 2];
    const bend = Math.max(30, Math.abs(x2 - x1) / 2);
    return (
      <path
        key={`${isGone}-${edge.id}`}
        d={`M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`}
        fill="none"
        stroke={color}
        strokeWidth={2}
        {...(isGone && { strokeDasharray: '5 4' })}
      />
    );
  };
  const counts = (['added', 'removed', 'changed'] as const).map((change) =>
    words.counts(steps.filter((step) => step.change === change).length, words[change]),
  );
  return (
    <div className="overflow-auto rounded-3 border border-line bg-bg">
      <svg
        role="img"
        aria-label={words.picture(counts)}
        viewBox={`${left} ${top} ${width} ${height}`}
        style={{ maxHeight: 360, minWidth: Math.min(width, 480) }}
        className="mx-auto block w-full"
      >
        {removedEdges.map((edge) => line(edge, 'var(--bad)', true))}
        {after.edges.map((edge) => line(edge, added.has(edge) ? 'var(--ok)' : 'var(--control)'))}
        {all.map((step) => {
          const change = changeOf.get(step.id);
          const { x, y } = places.get(step.id) ?? { x: 0, y: 0 };
          return (
            <g key={step.id}>
              <rect
                {...{ x, y, ...stepSize, rx: 10 }}
                fill={change ? fills[change] : 'var(--surface)'}
                stroke={change ? strokes[change] : 'var(--line-2)'}
                strokeWidth={change && change !== 'moved' ? 2.5 : 1}
                {...(change === 'removed' && { strokeDasharray: '6 4' })}
              />
              <text x={x + 12} y={y + stepSize.height / 2 + 5} fontSize={14} fontWeight={500} fill="var(--text)">
                {cut(`${change ? signs[change] : ''}${nameOf(step, catalogue)}`)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
