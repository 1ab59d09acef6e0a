import { useNavigate } from '@tanstack/react-router';
import {
  ClipboardPaste,
  Link2,
  ListTree,
  MessageSquarePlus,
  Network,
  Plus,
  Redo,
  Search,
  TriangleAlert,
  Undo,
  Waypoints,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { sayKeys } from '../../lib/shortcuts.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useBuild } from './build-context.ts';
import { useEditor, useFlow } from './editor-context.ts';

const words = flowTexts.toolbar;

/** What can be done with the steps; every entry has a key too. */
export function Toolbar() {
  const { mayEdit } = useEditor();
  const { commands, show, view } = useBuild();
  const navigate = useNavigate({ from: '/w/$w/workflows/$id/' });
  const chosen = useFlow((state) => state.chosen[0]);
  const undoable = useFlow((state) => state.past.at(-1)?.name);
  const redoable = useFlow((state) => state.future.at(-1)?.name);
  const faults = useFlow((state) => state.faults.length);
  const [tidying, setTidying] = useState(false);
  const tidy = async () => {
    setTidying(true);
    await commands.tidy();
    setTidying(false);
  };
  return (
    <div
      role="toolbar"
      aria-label={words.label}
      className="flex min-h-11 flex-none flex-wrap items-center gap-1 border-b border-line bg-surface px-3 py-1"
    >
      <Segmented
        label={flowTexts.head.view}
        value={view}
        options={[
          {
            value: 'canvas',
            label: <Labelled icon={<Waypoints size={14} aria-hidden />} text={workflowTexts.tabs.canvas} />,
          },
          {
            value: 'outline',
            label: <Labelled icon={<ListTree size={14} aria-hidden />} text={workflowTexts.tabs.outline} />,
          },
        ]}
        onChange={(next) =>
          void navigate({ search: (old) => ({ ...old, view: next === 'outline' ? 'outline' : undefined }) })
        }
      />
      {mayEdit && (
        <span className="contents max-phone:hidden">
          <Button
            look="primary"
            size="small"
            className="ml-2"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => show({ kind: 'add', after: chosen })}
          >
            {words.add}
            <kbd aria-hidden className="border-current bg-transparent text-inherit opacity-80">
              N
            </kbd>
          </Button>
          <Tool
            label={undoable ? flowTexts.head.undo(undoable) : flowTexts.head.nothingToUndo}
            keys="mod+z"
            icon={<Undo size={16} />}
            off={!undoable}
            onPress={commands.undo}
          />
          <Tool
            label={redoable ? flowTexts.head.redo(redoable) : flowTexts.head.nothingToRedo}
            keys="mod+shift+z"
            icon={<Redo size={16} />}
            off={!redoable}
            onPress={commands.redo}
          />
          <Tool
            label={words.connect}
            keys="c"
            icon={<Link2 size={16} />}
            off={!chosen}
            onPress={() => chosen && show({ kind: 'connect', from: chosen })}
          />
          <Tool label={words.paste} keys="mod+v" icon={<ClipboardPaste size={16} />} onPress={() => commands.paste()} />
          <Tool label={words.tidy} icon={<Network size={16} />} off={tidying} onPress={() => void tidy()} />
          <Tool label={words.remark} icon={<MessageSquarePlus size={16} />} onPress={commands.addRemark} />
        </span>
      )}
      <Tool label={words.find} keys="/" icon={<Search size={16} />} onPress={() => show({ kind: 'find' })} />
      {faults > 0 && (
        <Button
          look="danger"
          size="small"
          className="ml-auto"
          icon={<TriangleAlert size={14} aria-hidden />}
          onClick={() => show({ kind: 'faults' })}
        >
          {flowTexts.faults.show(faults)}
        </Button>
      )}
      {mayEdit && <p className="basis-full px-1 text-caption text-text-2 phone:hidden">{words.narrow}</p>}
    </div>
  );
}

const Labelled = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <span className="flex items-center gap-1.5">
    {icon}
    {text}
  </span>
);

function Tool(props: { label: string; keys?: string; icon: ReactNode; off?: boolean; onPress: () => void }) {
  const { label, keys, icon, off, onPress } = props;
  return (
    <IconButton
      label={label}
      {...(keys && { keys: sayKeys(keys) })}
      icon={icon}
      aria-disabled={off || undefined}
      className={off ? 'opacity-50' : ''}
      onClick={() => !off && onPress()}
    />
  );
}
