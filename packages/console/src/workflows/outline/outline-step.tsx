import {
  ClipboardPaste,
  Copy,
  CopyPlus,
  CornerDownRight,
  Link2,
  MoreHorizontal,
  Plus,
  Scissors,
  Trash2,
} from 'lucide-react';
import { useStore } from 'zustand';
import { sayDuration } from '../../lib/numbers.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { StepIcon } from '../canvas/step-icon.tsx';
import { useBuild } from '../editor/build-context.ts';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { nameOf, outputsOf } from '../graph/catalogue.ts';
import type { OutlineRow } from '../graph/walk.ts';

const words = flowTexts.outline;
const tones: Readonly<Record<string, Tone>> = {
  ...{ completed: 'ok', running: 'accent', waiting: 'warn', failed: 'bad', skipped: 'plain', stopped: 'plain' },
};

/** One step of the outline, with everything that can be done with it. */
export function OutlineStep({ row: { step, depth, under } }: { row: OutlineRow }) {
  const { catalogue, runStore, mayEdit, store } = useEditor();
  const { commands, open, show } = useBuild();
  const run = useStore(runStore, (state) => state.steps[step.id]);
  const graph = useFlow((state) => state.graph);
  const isChosen = useFlow((state) => state.chosen.includes(step.id));
  const allFaults = useFlow((state) => state.faults);
  const faults = allFaults.filter((fault) => fault.step === step.id);
  const type = catalogue.get(step.type);
  const name = nameOf(step, catalogue);
  const targets = graph.edges.filter(({ from_id }) => from_id.node_id === step.id);
  const leads = [...new Set(targets.map(({ to_id }) => commands.titleOf(to_id.node_id)))];
  const source = graph.nodes.find(({ id }) => id === under?.from_id.node_id);
  const ways = source ? outputsOf(source, catalogue).filter(({ name: output }) => output !== 'on_error') : [];
  const way = outputsOf(source ?? step, catalogue).find(({ name: output }) => output === under?.from_id.connector_name);
  const isBranch = under !== undefined && (ways.length > 1 || under.from_id.connector_name === 'on_error');
  const refused = !mayEdit && workflowTexts.needsEdit;
  const ids = [step.id];
  const entry = (label: string, icon: React.ReactNode, onSelect: () => void, danger = false) => ({
    ...{ label, icon, refused, danger, onSelect },
  });
  return (
    <li
      className={cx('flex items-center gap-1 pr-2', isChosen && 'bg-accent-soft')}
      style={{ paddingInlineStart: `${Math.min(depth, 8) * 24}px` }}
    >
      <button
        type="button"
        data-row-link
        data-outline-step={step.id}
        aria-current={isChosen || undefined}
        onFocus={() => store.choose(ids)}
        onClick={() => open(step.id, true)}
        className="flex min-w-0 flex-1 items-center gap-3 px-3 py-2 text-left -outline-offset-2"
      >
        <StepIcon type={step.type} category={type?.category ?? 'other'} size={16} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="truncate font-medium">{name}</span>
            <span className="text-dense text-text-3">{type?.title ?? step.type}</span>
            {isBranch && <Chip>{words.by(way?.label ?? under.from_id.connector_name)}</Chip>}
            {run && run.status !== 'remaining' && (
              <Chip tone={tones[run.status] ?? 'plain'} dot>
                {flowTexts.run.states[run.status] ?? run.status}
                {run.status === 'completed' && ` · ${sayDuration(run.ms)}`}
              </Chip>
            )}
          </span>
          <span className="block text-caption text-text-3">{words.leadsTo(leads)}</span>
          {faults.map(({ text }) => (
            <span key={text} className="block text-dense text-bad">
              {text}
            </span>
          ))}
        </span>
      </button>
      <Menu
        trigger={<IconButton label={words.more(name)} icon={<MoreHorizontal size={16} />} />}
        groups={[
          [
            entry(words.addAfter, <Plus size={15} />, () => show({ kind: 'add', after: step.id })),
            entry(words.connect, <Link2 size={15} />, () => show({ kind: 'connect', from: step.id })),
            entry(words.moveAfter, <CornerDownRight size={15} />, () => show({ kind: 'move-after', id: step.id })),
          ],
          [
            entry(words.copy, <Copy size={15} />, () => void commands.copy(ids)),
            entry(words.cut, <Scissors size={15} />, () => void commands.cut(ids)),
            entry(words.pasteAfter, <ClipboardPaste size={15} />, () => commands.paste()),
            entry(words.double, <CopyPlus size={15} />, () => commands.double(ids)),
          ],
          [entry(words.remove, <Trash2 size={15} />, () => commands.remove(ids), true)],
        ]}
      />
    </li>
  );
}
