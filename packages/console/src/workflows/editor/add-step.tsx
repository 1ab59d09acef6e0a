import { useState } from 'react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { StepIcon } from '../canvas/step-icon.tsx';
import { useBuild } from './build-context.ts';
import { useEditor, useFlow } from './editor-context.ts';
import { PickList } from './pick-list.tsx';

const words = flowTexts.add;
const order = Object.keys(words.categories);

/** A new step behind the chosen one, found by its name. */
export function AddStep({ after, onClose }: { after: string | undefined; onClose: () => void }) {
  const { catalogue } = useEditor();
  const { commands, open } = useBuild();
  const kind = useFlow((state) => state.workflow.type);
  const before = useFlow(({ graph }) => graph.nodes.find(({ id }) => id === after)?.id);
  const [query, setQuery] = useState('');
  const typed = query.trim().toLowerCase();
  const fitting = [...catalogue.values()]
    .filter(({ visible, is_available, used_in }) => visible && is_available && used_in.includes(kind))
    .map((type) => {
      const at = type.title.toLowerCase().indexOf(typed);
      const inText = type.description.toLowerCase().includes(typed);
      return { type, rank: at === 0 ? 0 : at > 0 ? 1 : inText ? 2 : 3 };
    })
    .filter(({ rank }) => rank < 3)
    .sort((one, other) =>
      typed
        ? one.rank - other.rank || one.type.title.length - other.type.title.length
        : order.indexOf(one.type.category) - order.indexOf(other.type.category),
    );
  const picks = fitting.map(({ type: { type, title, small_description, category } }) => ({
    ...{ id: type, label: title, help: small_description, icon: <StepIcon type={type} category={category} /> },
    section: typed ? undefined : (words.categories[category] ?? category),
  }));
  const add = (type: string) => {
    onClose();
    // Its panel, not that of the step before, is where one goes on.
    open(commands.add(type, before));
  };
  return (
    <Dialog
      open
      changed={false}
      onClose={onClose}
      title={words.title}
      {...(before && { help: words.after(commands.titleOf(before)) })}
    >
      <PickList
        label={words.find}
        listLabel={words.list}
        picks={picks}
        query={query}
        onQuery={setQuery}
        onPick={add}
        none={words.none(query)}
      />
    </Dialog>
  );
}
