import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import * as store from './store.ts';

export type Todo = {
  /** Counted from 1 in each conversation; never used twice while a later one is there. */
  id: string;
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** The to-do it is a part of. */
  parent_id: string | null;
};

export type TodoList = ReturnType<typeof makeTodoList>;

/** What is to be done in a conversation; shown as its `todos`. */
export const makeTodoList = ({ db }: { db: Database }) => ({
  async read(scope: Scope, conversation_id: string): Promise<Todo[]> {
    const row = await store.findConversation(db, scope.workspace_id, conversation_id);
    if (!row) throw notFound('conversation');
    return row.todos as Todo[];
  },

  /** Those who change it at once take turns. */
  change: (scope: Scope, conversation_id: string, work: (todos: readonly Todo[]) => Todo[]): Promise<Todo[]> =>
    db.transaction(undefined, async (tx) => {
      const row = await store.lockConversation(tx, scope.workspace_id, conversation_id);
      if (!row) throw notFound('conversation');
      const todos = work(row.todos as Todo[]);
      await store.setTodos(tx, scope.workspace_id, conversation_id, todos);
      return todos;
    }),
});
