import { useQueryClient } from '@tanstack/react-query';
import { GitBranch, Redo2, Undo2 } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayKeys, useShortcuts } from '../../lib/shortcuts.ts';
import { agentTexts } from '../../text/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AgentPicture } from './agent-picture.tsx';
import { listDifferences } from './changes.ts';
import { useDraft, useEditor } from './editor-context.ts';
import { SaveState } from './save-state.tsx';

const PublishDialog = lazyPart(() =>
  import('./publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
);
const DiscardDialog = lazyPart(() =>
  import('./discard-dialog.tsx').then(({ DiscardDialog }) => ({ default: DiscardDialog })),
);
const ConflictDialog = lazyPart(() =>
  import('./conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
);
const words = agentTexts.head;
const tabs = ['build', 'channels', 'triggers', 'memory', 'versions', 'evaluations', 'insights'] as const;

/** The name of the agent, its tabs, and what can be done with its draft. */
export function AgentHead({ children }: { children: ReactNode }) {
  const { store, form, tools, live, next, mayEdit } = useEditor();
  const { agent, published, values, conflict, past, future } = useDraft();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'publish' | 'discard'>();
  const differences = useMemo(() => listDifferences(form, tools, published, values), [form, tools, published, values]);
  const [undoable, redoable] = [past.at(-1)?.field.label, future.at(-1)?.field.label];
  const undo = { label: undoable ? words.undo(undoable) : words.nothingToUndo, onPress: store.undo };
  const redo = { label: redoable ? words.redo(redoable) : words.nothingToRedo, onPress: store.redo };
  useShortcuts([
    { keys: 'mod+z', outsideFields: true, ...undo },
    { keys: 'mod+shift+z', outsideFields: true, ...redo },
  ]);
  const refused = !mayEdit && agentTexts.needsEdit;
  const nothing = differences.length === 0 && words.noChanges;
  const actions = (
    <>
      <SaveState />
      {mayEdit && (
        <span className="flex max-phone:hidden">
          <IconButton
            label={undo.label}
            keys={sayKeys('mod+z')}
            icon={<Undo2 size={16} />}
            aria-disabled={!undoable}
            className={undoable ? '' : 'opacity-50'}
            onClick={store.undo}
          />
          <IconButton
            label={redo.label}
            keys={sayKeys('mod+shift+z')}
            icon={<Redo2 size={16} />}
            aria-disabled={!redoable}
            className={redoable ? '' : 'opacity-50'}
            onClick={store.redo}
          />
        </span>
      )}
      {differences.length > 0 && mayEdit && (
        <Button look="ghost" onClick={() => setDialog('discard')}>
          {words.discard}
        </Button>
      )}
      <Button icon={<GitBranch size={14} />} refused={nothing} onClick={() => setDialog('publish')}>
        {differences.length ? words.changes(differences.length) : words.noChanges}
      </Button>
      <Button look="primary" refused={refused || nothing} onClick={() => setDialog('publish')}>
        {words.publish(next)}
      </Button>
    </>
  );
  return (
    <Page
      title={agent.name}
      crumb={{ label: agentTexts.title, to: `/w/${w}/agents` }}
      before={
        <AgentPicture
          agent={agent}
          mayEdit={mayEdit}
          onChanged={() => queries.invalidateQueries({ queryKey: [w, 'agents'] })}
        />
      }
      beside={
        <Chip tone="ok" dot>
          {words.live(live)}
        </Chip>
      }
      actions={actions}
      tabs={
        <Tabs
          label={agentTexts.tabs.label}
          tabs={tabs.map((tab) => ({ label: agentTexts.tabs[tab], to: `/w/${w}/agents/${agent.id}/${tab}` }))}
        />
      }
      scrolls={false}
    >
      {children}
      <Suspense>
        {dialog === 'publish' && <PublishDialog differences={differences} onClose={() => setDialog(undefined)} />}
        {dialog === 'discard' && <DiscardDialog count={differences.length} onClose={() => setDialog(undefined)} />}
        {conflict && <ConflictDialog conflict={conflict} />}
      </Suspense>
    </Page>
  );
}
