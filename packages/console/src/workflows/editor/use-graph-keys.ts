import { type KeyboardEvent, useEffect } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { isCopiedSteps } from '../graph/copy-steps.ts';
import { type Direction, walk } from '../graph/walk.ts';
import type { BuildDialog } from './build-context.ts';
import { rememberCopied } from './clipboard.ts';
import { useEditor } from './editor-context.ts';
import { say } from './said.ts';
import type { GraphCommands } from './use-graph-commands.ts';

const words = flowTexts.toolbar;
const directions: Readonly<Record<string, Direction>> = {
  ...{ ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' },
};
const nudge = 20;
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null);
const hasSelectedText = () => (getSelection()?.toString() ?? '') !== '';
const isInLayer = () => document.querySelector('[role="dialog"], [role="menu"]') !== null;

interface Keys {
  commands: GraphCommands;
  show: (dialog: BuildDialog) => void;
  open: (id: string, focus?: boolean) => void;
}

/** Keys of canvas and outline alike. Copy, cut and paste are the browser's own events, so that other texts still copy. */
export function useGraphKeys({ commands, show, open }: Keys): void {
  const { store, mayEdit } = useEditor();
  const first = () => store.getState().chosen[0];
  const only = (action: () => void) => () => {
    if (mayEdit && !isInLayer()) action();
  };
  const undo = only(commands.undo);
  const redo = only(commands.redo);
  const remove = only(() => commands.remove());
  const outside = { outsideFields: true };
  const listed = { listed: true, onPress: () => {} };
  useShortcuts([
    { keys: 'n', label: words.add, onPress: only(() => show({ kind: 'add', after: first() })) },
    {
      ...{ keys: 'c', label: words.connect },
      onPress: only(() => {
        const from = first();
        if (from && store.getState().graph.nodes.some(({ id }) => id === from)) show({ kind: 'connect', from });
      }),
    },
    { keys: '/', label: words.find, onPress: () => !isInLayer() && show({ kind: 'find' }) },
    { keys: 'mod+z', label: flowTexts.head.undo(''), ...outside, onPress: undo },
    { keys: 'mod+shift+z', label: flowTexts.head.redo(''), ...outside, onPress: redo },
    { keys: 'mod+d', label: words.double, ...outside, onPress: only(() => commands.double()) },
    { keys: 'backspace', label: words.remove, onPress: remove },
    { keys: 'delete', label: words.remove, onPress: remove },
    { keys: 'enter', label: words.open, onPress: () => !isInLayer() && first() && open(first() as string, true) },
    { keys: 'mod+c', label: words.copy, ...listed },
    { keys: 'mod+x', label: words.cut, ...listed },
    { keys: 'mod+v', label: words.paste, ...listed },
  ]);
  useEffect(() => {
    const isOurs = (event: ClipboardEvent) => !event.defaultPrevented && !isField(event.target) && !isInLayer();
    const onCopy = (event: ClipboardEvent) => {
      if (!isOurs(event) || hasSelectedText()) return;
      const text = commands.copied();
      if (!text) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text);
      rememberCopied(text);
      if (event.type === 'cut' && mayEdit) commands.remove(undefined, flowTexts.commands.cut);
      else say(flowTexts.said.copied(store.getState().chosen.length));
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isOurs(event) || !mayEdit || !isCopiedSteps(text)) return;
      event.preventDefault();
      commands.paste(text);
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [commands, store, mayEdit]);
}

/** Arrows on the canvas: they walk, with Shift they grow the choice, with Alt they move what is chosen. */
export function useArrowKeys(commands: GraphCommands, opened: string | undefined, open: (id: string) => void) {
  const { store, mayEdit } = useEditor();
  return (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (!direction || isField(event.target) || event.ctrlKey || event.metaKey) return;
    const { graph, chosen } = store.getState();
    event.preventDefault();
    if (event.altKey) {
      const sign = direction === 'left' || direction === 'up' ? -nudge : nudge;
      const isLevel = direction === 'left' || direction === 'right';
      if (mayEdit) commands.moveBy(isLevel ? { x: sign, y: 0 } : { x: 0, y: sign });
      return;
    }
    const next = walk(graph, chosen[0] ?? '', direction);
    if (!next) return;
    commands.land(event.shiftKey ? [next, ...chosen.filter((id) => id !== next)] : [next]);
    if (opened && !event.shiftKey) open(next);
  };
}
