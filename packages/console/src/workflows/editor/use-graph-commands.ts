import { useMemo } from 'react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { nameOf } from '../graph/catalogue.ts';
import { copySteps, pasteSteps } from '../graph/copy-steps.ts';
import * as edit from '../graph/edit-graph.ts';
import type { Graph, Link, Position } from '../graph/graph-types.ts';
import { layOut } from '../graph/lay-out.ts';
import { positionOf } from '../graph/read-graph.ts';
import { walk } from '../graph/walk.ts';
import { lastCopied, writeClipboard } from './clipboard.ts';
import { type Editor, useEditor } from './editor-context.ts';
import { focusStep } from './focus-step.ts';
import { say } from './said.ts';

const names = flowTexts.commands;
export type GraphCommands = ReturnType<typeof makeCommands>;

/** Everything that canvas and outline can do, each as one command that can be undone. */
function makeCommands({ store, catalogue }: Editor) {
  const graph = () => store.getState().graph;
  const chosen = () => store.getState().chosen;
  const titleOf = (id: string) => {
    const step = graph().nodes.find((one) => one.id === id);
    return step ? nameOf(step, catalogue) : id;
  };
  /** Chooses steps and gives the focus to the first. */
  const land = (ids: readonly string[]) => {
    store.choose(ids);
    if (ids[0]) focusStep(ids[0]);
  };
  const take = (name: string, next: Graph, ids: readonly string[]) => {
    store.change(name, next);
    land(ids);
  };
  /** The step that takes the place of removed ones: the one before, else the next. */
  const heirOf = (ids: readonly string[]) => {
    const left = (['left', 'right', 'up', 'down'] as const)
      .map((direction) => walk(graph(), ids[0] ?? '', direction))
      .find((id) => id !== undefined && !ids.includes(id));
    return left ?? graph().nodes.find(({ id }) => !ids.includes(id))?.id;
  };
  const commands = {
    titleOf,
    land,
    add(type: string, after: string | undefined): string {
      const added = edit.addStep(graph(), catalogue, type, { after });
      const title = catalogue.get(type)?.title ?? type;
      take(names.add(title), added.graph, [added.id]);
      say(flowTexts.said.added(titleOf(added.id)));
      return added.id;
    },
    connect: (link: Link) =>
      store.change(
        names.connect(titleOf(link.from_id.node_id), titleOf(link.to_id.node_id)),
        edit.connect(graph(), link),
      ),
    disconnect: (edgeIds: readonly string[]) => store.change(names.disconnect, edit.disconnect(graph(), edgeIds)),
    remove(ids = chosen(), name: (count: number) => string = names.remove): void {
      if (ids.length === 0) return;
      const heir = heirOf(ids);
      store.change(name(ids.length), edit.removeSteps(graph(), ids));
      land(heir ? [heir] : []);
      say(flowTexts.said.removed(ids.length));
    },
    /** The chosen steps as text; undefined when none are. */
    copied: (ids = chosen()) => (ids.length ? copySteps(graph(), ids) : undefined),
    async copy(ids = chosen()): Promise<void> {
      const text = commands.copied(ids);
      if (!text) return;
      await writeClipboard(text).catch(() => {});
      say(flowTexts.said.copied(ids.length));
    },
    async cut(ids = chosen()): Promise<void> {
      await commands.copy(ids);
      commands.remove(ids, names.cut);
    },
    /** Pastes steps, behind the last one that is there; says so when the text has none. */
    paste(text = lastCopied(), name: (count: number) => string = names.paste): boolean {
      const places = graph().nodes.map(positionOf);
      const right = Math.max(...places.map(({ x }) => x));
      const at = places.length
        ? edit.freePlace(graph(), { x: right + 232, y: Math.min(...places.map(({ y }) => y)) })
        : undefined;
      const pasted = pasteSteps(graph(), text, at);
      if (!pasted) {
        sayToast({ text: flowTexts.said.noSteps });
        return false;
      }
      take(name(pasted.ids.length), pasted.graph, pasted.ids);
      say(flowTexts.said.pasted(pasted.ids.length));
      return true;
    },
    double(ids = chosen()): void {
      const text = commands.copied(ids);
      const pasted = text && pasteSteps(graph(), text);
      if (pasted) take(names.double(ids.length), pasted.graph, pasted.ids);
    },
    moveBy(delta: Position): void {
      const ids = new Set(chosen());
      const all = [
        ...graph().nodes.map((step) => [step.id, positionOf(step)] as const),
        ...(graph().comments ?? []).map(({ id, position }) => [id, position] as const),
      ];
      const places = new Map(
        all.filter(([id]) => ids.has(id)).map(([id, { x, y }]) => [id, { x: x + delta.x, y: y + delta.y }]),
      );
      if (places.size)
        store.change(names.move(places.size), edit.moveSteps(graph(), places), `move ${[...ids].join()}`);
    },
    moveTo: (places: ReadonlyMap<string, Position>) =>
      store.change(names.move(places.size), edit.moveSteps(graph(), places)),
    moveAfter: (id: string, after: string) =>
      take(names.moveAfter(titleOf(id), titleOf(after)), edit.moveAfter(graph(), catalogue, id, after), [id]),
    async tidy(): Promise<void> {
      try {
        const before = graph();
        const places = await layOut(before);
        // What was changed meanwhile keeps its place.
        store.change(names.tidy, edit.moveSteps(graph(), places));
        say(flowTexts.said.tidied);
      } catch (error) {
        sayFailure(error);
      }
    },
    addRemark(): void {
      const places = graph().nodes.map(positionOf);
      const at = places.length
        ? { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) - 120 }
        : { x: 0, y: 0 };
      const added = edit.addRemark(graph(), '', at);
      take(names.remark, added.graph, [added.id]);
    },
    editRemark: (id: string, text: string) =>
      store.change(names.editRemark, edit.changeRemark(graph(), id, text), `remark ${id}`),
    undo(): void {
      const name = store.undo();
      say(name ? flowTexts.head.undone(name) : flowTexts.head.nothingToUndo);
    },
    redo(): void {
      const name = store.redo();
      say(name ? flowTexts.head.redone(name) : flowTexts.head.nothingToRedo);
    },
  };
  return commands;
}

export function useGraphCommands(): GraphCommands {
  const editor = useEditor();
  return useMemo(() => makeCommands(editor), [editor]);
}
