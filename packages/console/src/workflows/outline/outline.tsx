import { Trash2 } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { useBuild } from '../editor/build-context.ts';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { outlineOf } from '../graph/walk.ts';
import { OutlineStep } from './outline-step.tsx';

const words = flowTexts.outline;

/** The same graph as an indented list. It can do all that the canvas can. */
export function Outline() {
  const { mayEdit } = useEditor();
  const { commands } = useBuild();
  const graph = useFlow((state) => state.graph);
  const rows = useMemo(() => outlineOf(graph), [graph]);
  const remarks = graph.comments ?? [];
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-220 px-5 py-4 max-narrow:px-3">
        <ul
          ref={list}
          aria-label={words.label}
          onKeyDown={onKey}
          className="divide-y divide-line rounded-3 border border-line bg-surface"
        >
          {rows.map((row) => (
            <OutlineStep key={row.step.id} row={row} />
          ))}
        </ul>
        {remarks.length > 0 && (
          <section aria-label={words.remarks} className="mt-5">
            <h2 className="mb-2 text-section">{words.remarks}</h2>
            <ul className="flex flex-col gap-2">
              {remarks.map(({ id, text }) => (
                <li key={id} className="flex items-start gap-2">
                  <TextArea
                    aria-label={flowTexts.canvas.remarkText}
                    value={text}
                    readOnly={!mayEdit}
                    onChange={({ target }) => commands.editRemark(id, target.value)}
                  />
                  {mayEdit && (
                    <IconButton
                      label={words.deleteRemark}
                      icon={<Trash2 size={15} />}
                      onClick={() => commands.remove([id])}
                    />
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
