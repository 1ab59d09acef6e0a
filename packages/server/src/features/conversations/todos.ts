import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { TodoList } from './ports.ts';
import * as store from './store.ts';

export const makeTodoList = ({ db }: { db: Database }): TodoList => ({
  async read(scope, conversation_id) {
    const row = await store.findConversation(db, scope.workspace_id, conversation_id);
    if (!row) throw notFound('conversation');
    return row.todos;
  },

  change: (scope, conversation_id, work) =>
    db.transaction(undefined, async (tx) => {
      const row = await store.lockConversation(tx, scope.workspace_id, conversation_id);
      if (!row) throw notFound('conversation');
      const todos = work(row.todos);
      await store.setTodos(tx, scope.workspace_id, conversation_id, todos);
      return todos;
    }),
});
