import { fieldsOf } from '../../../lib/json/fields-of.ts';
import { termsOf } from '../../../lib/text/terms.ts';
import type { ModelTool } from '../driver.ts';
import { inputPropertiesOf } from './tool-input.ts';

export type TodoCommand =
  | { verb: 'add'; items: string[] }
  | { verb: 'complete' | 'remove'; item: string }
  | { verb: 'read' };

const list = String.raw`(?:(?:my|the|our)\s+)?(?:to-?dos?|to-?do[ -]list|tasks?|task[ -]list)`;
const lead = String.raw`^(?:please\s+|can you\s+|could you\s+)?`;
const pattern = (source: string) => new RegExp(source, 'isu');

const adds = [
  pattern(
    `${lead}(?:add|create|new|make)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:to-?dos?|tasks?)(?:\\s+to)?\\s*[:–-]?\\s+(?<item>.+)$`,
  ),
  pattern(`${lead}(?:add|put)\\s+(?<item>.+?)\\s+(?:to|on)\\s+${list}[.!]?$`),
  pattern('^to-?dos?\\s*:\\s*(?<item>.+)$'),
];
const completes = [
  pattern(
    `${lead}(?:complete|finish|close|check off|tick off|done with)\\s+(?:the\\s+)?(?:to-?do|task)\\s*[:–-]?\\s+(?<item>.+)$`,
  ),
  pattern(
    `${lead}mark\\s+(?:the\\s+)?(?:(?:to-?do|task)\\s+)?(?<item>.+?)\\s+(?:as\\s+)?(?:done|completed?|finished)[.!]?$`,
  ),
  pattern(`${lead}(?:complete|finish|check off|tick off)\\s+(?<item>.+?)\\s+(?:on|in)\\s+${list}[.!]?$`),
];
const removes = [
  pattern(`${lead}(?:remove|delete|drop|cancel)\\s+(?:the\\s+)?(?:to-?do|task)\\s*[:–-]?\\s+(?<item>.+)$`),
  pattern(`${lead}(?:remove|delete|drop|cancel)\\s+(?<item>.+?)\\s+from\\s+${list}[.!]?$`),
];
const reads = pattern(
  `${lead}(?:(?:what(?:'s|’s| is| are)(?: on)?|show(?: me)?|list|read)\\s+(?:all\\s+)?(?:of\\s+)?${list}|what (?:do|must|should) (?:i|we) (?:have to )?do)\\s*(?:please)?[?.!]*$`,
);

const itemOf = (patterns: readonly RegExp[], text: string) => {
  for (const one of patterns) {
    const item = one
      .exec(text)
      ?.groups?.['item']?.replace(/^["'“]|["'”.]$/gu, '')
      .trim();
    if (item) return item;
  }
  return undefined;
};

/** Reads a command for the list of to-dos from a message, in one of the usual phrases. */
export function parseTodoCommand(message: string): TodoCommand | undefined {
  if (message.length > 2_000) return undefined;
  // Runs of spaces would make the patterns above try every way to share them out.
  const text = message
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n');
  const added = itemOf(adds, text);
  // Several lines are several things to do.
  if (added)
    return {
      verb: 'add',
      items: added
        .split(/\n+|;\s/)
        .map((item) => item.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
        .filter(Boolean)
        .slice(0, 20),
    };
  const completed = itemOf(completes, text);
  if (completed) return { verb: 'complete', item: completed };
  const removed = itemOf(removes, text);
  if (removed) return { verb: 'remove', item: removed };
  return reads.test(text) ? { verb: 'read' } : undefined;
}

export interface Todo {
  id: unknown;
  text: string;
}

/** Finds the to-dos in the answer of a tool, under the usual names of fields. */
export function todosIn(output: string): Todo[] {
  const found: Todo[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > 6 || typeof value !== 'object' || value === null) return;
    const fields = fieldsOf(value);
    const text = ['text', 'title', 'content', 'task', 'name', 'description']
      .map((key) => fields[key])
      .find((one) => typeof one === 'string');
    const id = fields['id'] ?? fields['todo_id'] ?? fields['index'];
    if (typeof text === 'string' && id !== undefined) found.push({ id, text });
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  try {
    walk(JSON.parse(output), 0);
  } catch {
    // A list in words has no ids to act on.
  }
  return found;
}

/** Finds a to-do by its number in the list, or by the most words in common. */
export function findTodo(todos: readonly Todo[], item: string): Todo | undefined {
  const number = /^(?:#|no\.?\s*|number\s+)?(\d{1,3})$/i.exec(item.trim())?.[1];
  if (number) return todos[Number(number) - 1];
  const asked = new Set(termsOf(item));
  const scored = todos.map((todo) => {
    const terms = new Set(termsOf(todo.text));
    const shared = [...terms].filter((term) => asked.has(term)).length;
    return { todo, score: shared / (asked.size + terms.size - shared || 1) };
  });
  const best = scored.reduce<{ todo: Todo | undefined; score: number }>(
    (one, other) => (other.score > one.score ? other : one),
    { todo: undefined, score: 0 },
  );
  return best.todo ?? todos.find(({ text }) => text.trim().toLowerCase() === item.trim().toLowerCase());
}

/** The input of one of the list's tools: the text, the id and the status under the names it has for them. */
export function todoInput(
  tool: ModelTool,
  { id, text, status }: { id?: unknown; text?: string; status?: string },
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  let textGiven = false;
  for (const [name, schema, required] of inputPropertiesOf(tool)) {
    const choices = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
    if (/(?:^|_)id$|^index$/.test(name)) {
      if (id !== undefined && (required || !/parent/.test(name)))
        input[name] = schema['type'] === 'string' ? String(id) : id;
    } else if (/status|state/.test(name) && status)
      input[name] = choices.find((one) => /done|complete|finish/i.test(one)) ?? status;
    else if (/^(?:done|completed|is_done)$/.test(name) && status) input[name] = true;
    else if (
      !textGiven &&
      text !== undefined &&
      /^(?:text|title|content|task|name|todo|description|item)$/.test(name)
    ) {
      input[name] = text;
      textGiven = true;
    }
  }
  return input;
}
