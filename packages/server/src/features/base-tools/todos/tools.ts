import { z } from 'zod';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Todo, TodoList } from '../../conversations/ports.ts';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import { enabledEntry } from '../enabled-entry.ts';

const mostTodos = 500;
const status = z.enum(['pending', 'in_progress', 'completed']);
const text = z.string().trim().min(1).max(2000).describe('What is to be done');
const output = z.object({
  todos: z.array(z.object({ id: z.string(), text, status, parent_id: z.string().nullable() })),
});

const nextId = (todos: readonly Todo[]) => String(Math.max(0, ...todos.map(({ id }) => Number(id) || 0)) + 1);

/** Inserts a subtask after the last one of its parent, so that each follows its parent in the list. */
function added(todos: readonly Todo[], todo: Omit<Todo, 'id'>): Todo[] {
  if (todos.length >= mostTodos) throw new ToolError(`There are ${mostTodos} to-dos already; remove some first`);
  const made = { id: nextId(todos), ...todo } as Todo;
  const at = todos.findLastIndex(
    ({ id, parent_id }) => todo.parent_id !== null && [id, parent_id].includes(todo.parent_id),
  );
  return at < 0 ? [...todos, made] : todos.toSpliced(at + 1, 0, made);
}

function requireTodo(todos: readonly Todo[], id: string): Todo {
  const found = todos.find((todo) => todo.id === id);
  if (!found) throw new ToolError(`There is no to-do with the id ${id}; todos_read_todos lists them`);
  return found;
}

/** The to-do list of a conversation as tools. With subtasks, a to-do may be part of another, one level deep. */
export const makeTodoTools =
  (list: TodoList): ToolProvider =>
  async (_, settings, { conversation_id }): Promise<Tool[]> => {
    const entry = enabledEntry(settings, 'todos');
    if (!entry) return [];
    const nested = entry['enable_subtasks'] === true;
    const change = async (scope: Scope, work: (todos: readonly Todo[]) => Todo[]) => ({
      todos: await list.change(scope, conversation_id, work),
    });
    const parent_id = z.string().optional().describe('The id of the to-do that it is a part of');
    const item = z.object({ text, status: status.optional() });
    const written = nested ? item.extend({ subtasks: z.array(item).max(100).optional() }) : item;

    return [
      defineTool({
        tool: 'todos_read_todos',
        description: 'The to-dos of this conversation with their ids and states.',
        input: z.object({}),
        output,
        repeatable: true,
        run: async (scope) => ({ todos: await list.read(scope, conversation_id) }),
      }),
      defineTool({
        tool: 'todos_add_todo',
        description: 'Adds something to be done to the list.',
        input: nested ? z.object({ text, parent_id }) : z.object({ text }),
        output,
        repeatable: true,
        run: (scope, input: { text: string; parent_id?: string | undefined }) =>
          change(scope, (todos) => {
            const parent = input.parent_id === undefined ? null : requireTodo(todos, input.parent_id);
            if (parent && parent.parent_id !== null) throw new ToolError('A subtask has no subtasks of its own');
            const todo = { text: input.text, status: 'pending' as const, parent_id: parent?.id ?? null };
            // A repeated call, as after a crash, adds the to-do once.
            const there = todos.some(
              (one) => one.text === todo.text && one.parent_id === todo.parent_id && one.status !== 'completed',
            );
            return there ? [...todos] : added(todos, todo);
          }),
      }),
      defineTool({
        tool: 'todos_write_todos',
        description: 'Replaces the whole list.',
        input: z.object({ todos: z.array(written).max(mostTodos) }),
        output,
        repeatable: true,
        run: (
          scope,
          input: { todos: (z.output<typeof item> & { subtasks?: z.output<typeof item>[] | undefined })[] },
        ) =>
          change(scope, () => {
            let todos: Todo[] = [];
            const put = (one: z.output<typeof item>, under: string | null) => {
              todos = added(todos, { text: one.text, status: one.status ?? 'pending', parent_id: under });
            };
            for (const { subtasks = [], ...one } of input.todos) {
              put(one, null);
              const parent = required(todos.at(-1)).id;
              for (const part of subtasks) put(part, parent);
            }
            return todos;
          }),
      }),
      defineTool({
        tool: 'todos_update_todo_status',
        description: 'Says that a to-do is pending, in progress or completed.',
        input: z.object({ id: z.string(), status }),
        output,
        repeatable: true,
        run: (scope, input) =>
          change(scope, (todos) => {
            requireTodo(todos, input.id);
            // Completing a to-do completes its subtasks.
            const done = input.status === 'completed';
            return todos.map((todo) =>
              todo.id === input.id || (done && todo.parent_id === input.id) ? { ...todo, status: input.status } : todo,
            );
          }),
      }),
      defineTool({
        tool: 'todos_remove_todo',
        description: 'Takes a to-do off the list, with its subtasks.',
        input: z.object({ id: z.string() }),
        output,
        repeatable: true,
        run: (scope, { id }) =>
          change(scope, (todos) => todos.filter((todo) => todo.id !== id && todo.parent_id !== id)),
      }),
    ];
  };
