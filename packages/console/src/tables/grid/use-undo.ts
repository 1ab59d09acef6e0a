import { AtriumError } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { type Command, put, runInOrder, take, useUndoStore, type ViewState } from './undo-store.ts';

/** Takes back what was done in a table, and does it again. The server writes the old values, all or none. */
export function useUndo(tableId: string, showView: (view: ViewState) => void) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const key = `${w}.${tableId}`;
  const history = useUndoStore((all) => all[key]);

  /** Reverses changes, the newest first; undoing what that made does them again. */
  async function reverse(changes: readonly string[]): Promise<string[]> {
    const made: string[] = [];
    for (const change of changes.toReversed()) {
      const { change_id } = await client.tableChanges.undo(tableId, change);
      if (change_id) made.push(change_id);
    }
    return made;
  }

  async function move(from: 'past' | 'future'): Promise<void> {
    const command = take(key, from);
    if (!command) return;
    const to = from === 'past' ? 'future' : 'past';
    try {
      put(key, to, await reversed(command, from === 'past'));
      sayToast({ text: from === 'past' ? rowTexts.undone(command.label) : rowTexts.redone(command.label) });
    } catch (error) {
      const code = error instanceof AtriumError ? error.code : undefined;
      const help =
        code === 'rows_changed' ? rowTexts.changedSince : code === 'rows_not_kept' ? rowTexts.notKept : undefined;
      if (help) sayToast({ text: rowTexts.notUndone(command.label), help, bad: true });
      else {
        put(key, from, command);
        sayFailure(error);
      }
    } finally {
      void queries.invalidateQueries({ queryKey: [w, 'rows', tableId] });
    }
  }

  async function reversed(command: Command, back: boolean): Promise<Command> {
    if ('view' in command) {
      showView(back ? command.view.before : command.view.after);
      return command;
    }
    const made = await reverse(await command.changes);
    return { label: command.label, changes: Promise.resolve(made) };
  }

  return {
    key,
    undoable: history?.past.at(-1)?.label,
    redoable: history?.future.at(-1)?.label,
    // Each press counts, also those that come while the server still answers the one before.
    undo: () => void runInOrder(key, () => move('past')),
    redo: () => void runInOrder(key, () => move('future')),
  };
}
