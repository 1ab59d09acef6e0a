import { Link2, X } from 'lucide-react';
import { useState } from 'react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBuild } from '../editor/build-context.ts';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { inputsOf, isKeyed } from '../graph/catalogue.ts';
import { setFixed } from '../graph/edit-graph.ts';
import type { Connector, Edge, Step } from '../graph/graph-types.ts';
import type { PlacedFault } from '../graph/place-faults.ts';
import { readValue, writeValue } from './typed-value.ts';

const words = flowTexts.step;

interface Props {
  step: Step;
  isOff: boolean;
  faults: readonly PlacedFault[];
}

/** What comes into a step and where it leads to; inputs without a connection can have a fixed value. */
export function StepConnections({ step, isOff, faults }: Props) {
  const { catalogue } = useEditor();
  const { show } = useBuild();
  const edges = useFlow((state) => state.graph.edges);
  const incoming = edges.filter(({ to_id }) => to_id.node_id === step.id);
  const outgoing = edges.filter(({ from_id }) => from_id.node_id === step.id);
  const inputs = inputsOf(step, catalogue);
  const open = inputs.filter(
    (input) => !isKeyed(input) && !incoming.some(({ to_id }) => to_id.connector_name === input.name),
  );
  return (
    <section aria-label={words.connections} className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-label font-semibold">{words.connections}</h3>
        {!isOff && (
          <Button
            size="small"
            icon={<Link2 size={14} aria-hidden />}
            onClick={() => show({ kind: 'connect', from: step.id })}
          >
            {flowTexts.connect.submit}
          </Button>
        )}
      </div>
      {inputs.length > 0 && (
        <EdgeList
          title={words.comesFrom}
          none={words.nothingComes}
          edges={incoming}
          side="from"
          isOff={isOff}
          faults={faults}
        />
      )}
      {open.map((input) => (
        <FixedValue
          key={input.name}
          {...{ step, input, isOff }}
          error={faults.find((fault) => fault.input === input.name)?.text}
        />
      ))}
      <EdgeList
        title={words.leadsTo}
        none={words.leadsNowhere}
        edges={outgoing}
        side="to"
        isOff={isOff}
        faults={faults}
      />
    </section>
  );
}

interface EdgeListProps {
  title: string;
  none: string;
  edges: readonly Edge[];
  side: 'from' | 'to';
  isOff: boolean;
  faults: readonly PlacedFault[];
}

function EdgeList({ title, none, edges, side, isOff, faults }: EdgeListProps) {
  const { catalogue } = useEditor();
  const { commands, open } = useBuild();
  const nodes = useFlow((state) => state.graph.nodes);
  const labelOf = ({ node_id, connector_name }: Edge['from_id'], list: 'inputs' | 'outputs') => {
    const type = catalogue.get(nodes.find(({ id }) => id === node_id)?.type ?? '');
    return type?.[list].find(({ name }) => name === connector_name)?.label ?? connector_name;
  };
  return (
    <div>
      <p className="mb-1 text-caption text-text-3">{title}</p>
      {edges.length === 0 && <p className="text-dense text-text-2">{none}</p>}
      <ul className="flex flex-col gap-1">
        {edges.map((edge) => {
          const other = side === 'from' ? edge.from_id.node_id : edge.to_id.node_id;
          const [from, to] = [commands.titleOf(edge.from_id.node_id), commands.titleOf(edge.to_id.node_id)];
          const fault = faults.find((one) => one.edge === edge.id);
          return (
            <li key={edge.id} className="rounded-2 bg-bg px-2 py-1 text-dense">
              <span className="flex items-center gap-2">
                <button
                  type="button"
                  className="min-h-6 truncate font-medium text-accent hover:underline"
                  onClick={() => open(other, true)}
                >
                  {side === 'from' ? from : to}
                </button>
                <span className="min-w-0 flex-1 truncate text-text-3">
                  {side === 'from'
                    ? words.input(labelOf(edge.to_id, 'inputs'), edge.to_id.key ?? undefined)
                    : labelOf(edge.from_id, 'outputs')}
                </span>
                {!isOff && (
                  <IconButton
                    label={words.removeConnection(from, to)}
                    icon={<X size={14} />}
                    className="size-6!"
                    onClick={() => commands.disconnect([edge.id])}
                  />
                )}
              </span>
              {fault && <span className="block text-bad">{fault.text}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function FixedValue(props: { step: Step; input: Connector; isOff: boolean; error: string | undefined }) {
  const { step, input, isOff, error } = props;
  const { store } = useEditor();
  const stored = (step.inputs ?? []).find(({ name }) => name === input.name)?.fixed_value;
  const [typed, setTyped] = useState<string>();
  const change = (text: string) => {
    setTyped(text);
    const next = setFixed(store.getState().graph, step.id, input.name, readValue(text));
    store.change(flowTexts.commands.field(input.label), next, `${step.id} ${input.name}`);
  };
  return (
    <div data-place={input.name}>
      <Field label={words.fixed(input.label)} help={words.fixedHelp} error={error}>
        <TextInput
          value={typed ?? writeValue(stored)}
          readOnly={isOff}
          onChange={({ target }) => change(target.value)}
          onBlur={() => setTyped(undefined)}
        />
      </Field>
    </div>
  );
}
