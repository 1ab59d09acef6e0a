import { useState } from 'react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { StepIcon } from '../canvas/step-icon.tsx';
import { nameOf } from '../graph/catalogue.ts';
import { useBuild } from './build-context.ts';
import { useEditor, useFlow } from './editor-context.ts';
import { PickList } from './pick-list.tsx';

/** Steps whose name, kind or settings have the text. */
function useFoundSteps(query: string, without?: string) {
  const { catalogue } = useEditor();
  const nodes = useFlow((state) => state.graph.nodes);
  const typed = query.trim().toLowerCase();
  return nodes
    .filter(({ id }) => id !== without)
    .map((step) => ({ step, name: nameOf(step, catalogue), type: catalogue.get(step.type) }))
    .filter(({ step, name, type }) =>
      [name, type?.title ?? '', step.id, JSON.stringify(step.node_config ?? {})].some((text) =>
        text.toLowerCase().includes(typed),
      ),
    )
    .slice(0, 100)
    .map(({ step, name, type }) => ({
      ...{ id: step.id, label: name, help: type?.title ?? step.type },
      icon: <StepIcon type={step.type} category={type?.category ?? 'other'} />,
    }));
}

export function FindStep({ onClose }: { onClose: () => void }) {
  const { commands, open, opened } = useBuild();
  const [query, setQuery] = useState('');
  const words = flowTexts.find;
  const pick = (id: string) => {
    onClose();
    commands.land([id]);
    if (opened) open(id);
  };
  return (
    <Dialog open changed={false} onClose={onClose} title={words.title}>
      <PickList
        label={words.field}
        listLabel={flowTexts.outline.label}
        picks={useFoundSteps(query)}
        query={query}
        onQuery={setQuery}
        onPick={pick}
        none={words.none(query)}
      />
    </Dialog>
  );
}

/** Hangs a step behind another one. */
export function MoveAfter({ id, onClose }: { id: string; onClose: () => void }) {
  const { commands } = useBuild();
  const [query, setQuery] = useState('');
  const words = flowTexts.moveAfter;
  const pick = (after: string) => {
    onClose();
    commands.moveAfter(id, after);
  };
  return (
    <Dialog open changed={false} onClose={onClose} title={words.title(commands.titleOf(id))}>
      <PickList
        label={words.step}
        listLabel={flowTexts.outline.label}
        picks={useFoundSteps(query, id)}
        query={query}
        onQuery={setQuery}
        onPick={pick}
        none={flowTexts.find.none(query)}
      />
    </Dialog>
  );
}
