import { flowTexts } from '../../text/workflow-editor.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { nameOf } from '../graph/catalogue.ts';
import type { PlacedFault } from '../graph/place-faults.ts';
import { useBuild } from './build-context.ts';
import { useEditor, useFlow } from './editor-context.ts';
import { wantField } from './wanted-field.ts';

const words = flowTexts.faults;

/** What is wrong, each with the way to its field. */
export function FaultDrawer({ onClose }: { onClose: () => void }) {
  const { catalogue } = useEditor();
  const { commands, open } = useBuild();
  const faults = useFlow((state) => state.faults);
  const graph = useFlow((state) => state.graph);
  const placeOf = ({ step, edge: edgeId }: PlacedFault) => {
    const edge = graph.edges.find(({ id }) => id === edgeId);
    if (edge) return words.connection(commands.titleOf(edge.from_id.node_id), commands.titleOf(edge.to_id.node_id));
    const found = graph.nodes.find(({ id }) => id === step);
    return found ? nameOf(found, catalogue) : words.workflow;
  };
  const lead = ({ step, field, input }: PlacedFault) => {
    onClose();
    if (!step) return;
    wantField(step, field ?? input);
    open(step, true);
  };
  return (
    <Drawer open onClose={onClose} title={words.title}>
      {faults.length === 0 && <p className="p-4 text-dense text-text-2">{words.none}</p>}
      <ul className="divide-y divide-line">
        {faults.map((fault, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several faults may have the same place and text.
          <li key={index}>
            <button
              type="button"
              {...(index === 0 && { 'data-autofocus': true })}
              onClick={() => lead(fault)}
              className="w-full px-4 py-3 text-left -outline-offset-2 hover:bg-sunken"
            >
              <span className="block text-label font-medium">{placeOf(fault)}</span>
              <span className="block text-dense text-bad">{fault.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
