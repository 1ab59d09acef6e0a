import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolApp } from '../testing.ts';

const app = await toolApp();
const verbs = ['read_todos', 'add_todo', 'write_todos', 'update_todo_status', 'remove_todo'];
const mine = () => app.offered().filter((name) => name.startsWith('todos_'));

test('todos keep a list on the conversation: read, add, write, change and remove', async () => {
  const id = await app.converse({ todos: {} });
  const { results, conversation } = await app.calling(id, [
    ['todos_add_todo', { text: 'Buy milk' }],
    ['todos_add_todo', { text: 'Call Ada' }],
    ['todos_add_todo', { text: 'Buy milk' }],
    ['todos_update_todo_status', { id: '1', status: 'completed' }],
    ['todos_read_todos', {}],
  ]);
  assert.deepEqual(
    mine(),
    verbs.map((verb) => `todos_${verb}`),
  );
  const two = [
    { id: '1', text: 'Buy milk', status: 'completed', parent_id: null },
    { id: '2', text: 'Call Ada', status: 'pending', parent_id: null },
  ];
  assert.deepEqual(conversation.todos, two);
  assert.deepEqual(results.at(-1), { todos: two });

  const again = await app.calling(id, [
    ['todos_remove_todo', { id: '1' }],
    ['todos_update_todo_status', { id: '7', status: 'completed' }],
  ]);
  assert.match(again.results[1].error, /no to-do with the id 7/);
  assert.deepEqual(again.conversation.todos, two.slice(1));
  const { conversation: written } = await app.calling(id, [['todos_write_todos', { todos: [{ text: 'Rest' }] }]]);
  assert.deepEqual(written.todos, [{ id: '1', text: 'Rest', status: 'pending', parent_id: null }]);
});

test('does not offer todos when they are not enabled', async () => {
  await app.calling(await app.converse(), [['clock_now', {}]]);
  assert.deepEqual(mine(), []);
  await app.calling(await app.converse({ todos: { enabled: false } }), [['clock_now', {}]]);
  assert.deepEqual(mine(), []);
});

test('enable_subtasks lets a to-do be a part of another', async () => {
  const plain = await app.converse({ todos: {} });
  await app.calling(plain, [['todos_read_todos', {}]]);
  const schemaOf = () => JSON.stringify(app.server.last().body.tools);
  assert.doesNotMatch(schemaOf(), /parent_id|"subtasks"/);

  const id = await app.converse({ todos: { enable_subtasks: true } });
  const { conversation, results } = await app.calling(id, [
    ['todos_write_todos', { todos: [{ text: 'Move', subtasks: [{ text: 'Pack' }] }, { text: 'Rest' }] }],
    ['todos_add_todo', { text: 'Drive', parent_id: '1' }],
    ['todos_add_todo', { text: 'Deeper', parent_id: '2' }],
  ]);
  assert.match(schemaOf(), /parent_id/);
  assert.match(schemaOf(), /"subtasks"/);
  assert.match(results[2].error, /no subtasks of its own/);
  const shape = (todos: { text: string; parent_id: string | null; status: string }[]) =>
    todos.map(({ text, parent_id, status }) => [text, parent_id, status]);
  assert.deepEqual(shape(conversation.todos), [
    ['Move', null, 'pending'],
    ['Pack', '1', 'pending'],
    ['Drive', '1', 'pending'],
    ['Rest', null, 'pending'],
  ]);
  const done = await app.calling(id, [['todos_update_todo_status', { id: '1', status: 'completed' }]]);
  assert.deepEqual(
    shape(done.conversation.todos).map(([, , status]) => status),
    ['completed', 'completed', 'completed', 'pending'],
  );
  const gone = await app.calling(id, [['todos_remove_todo', { id: '1' }]]);
  assert.deepEqual(shape(gone.conversation.todos), [['Rest', null, 'pending']]);
});

test('the built-in model keeps the list when it is asked to', async () => {
  const id = await app.converse({ todos: {} }, { model: ['atrium/extractive'] });
  await app.say(id, 'Add a todo: water the plants');
  const { conversation } = await app.say(id, 'Mark water the plants as done');
  assert.deepEqual(
    conversation.todos.map(({ text, status }: { text: string; status: string }) => [text, status]),
    [['water the plants', 'completed']],
  );
  assert.match((await app.say(id, 'What is on my todo list?')).text, /water the plants/);
});
