import { termsOf } from '../../../lib/text/terms.ts';
import type { ModelTool } from '../driver.ts';
import { findAnswer } from './find-answer.ts';
import type { Turn } from './read-turn.ts';
import { planFigures } from './tables/plan-figures.ts';
import { asksTime, timeZoneIn } from './time-questions.ts';
import { findTodo, parseTodoCommand, type TodoCommand, todoInput, todosIn } from './todos.ts';
import { inputFor, inputPropertiesOf, isAskable } from './tool-input.ts';
import { asksAboutAgent, describeAgent } from './words/about-agent.ts';
import { adviceIn } from './words/advice.ts';
import { phrasesIn } from './words/phrases.ts';
import { type Reply, smallTalk } from './words/small-talk.ts';

export interface Wanted {
  name: string;
  input: Record<string, unknown>;
}

/** How to answer a message: the tools to call, in order, and the kind of answer. */
export type Plan =
  | { kind: 'talk'; calls: Wanted[]; reply: Reply }
  | { kind: 'named' | 'time'; calls: Wanted[] }
  /** `unused` are words of a question about a table that can not be looked up there. */
  | { kind: 'search'; calls: Wanted[]; unused?: readonly string[] }
  | { kind: 'todos'; calls: Wanted[]; wish: TodoCommand; found: boolean }
  | { kind: 'figures'; calls: Wanted[]; answer: string[] }
  | { kind: 'missing'; calls: Wanted[] };

const mostSearches = 4;
const isSearch = ({ name }: ModelTool) => /_(?:search|recall|query)$/.test(name);

const fill = (tool: ModelTool, turn: Turn, query = turn.readings[0]?.query ?? turn.text): Wanted => ({
  name: tool.name,
  input: inputFor(tool, query, turn.hints),
});

/** Calls the tool that the message names in its hints: by name, by type, or by the id of a knowledge base or workflow. */
function named(turn: Turn, tools: readonly ModelTool[]): Plan | undefined {
  const { tool, kb_id, workflow_id } = turn.hints;
  const id = workflow_id ?? kb_id;
  if (!tool && !id) return undefined;
  const ofType = tools.filter(({ name }) => name === tool || name.startsWith(`${tool}_`));
  const exact = ofType.find(({ name }) => name === tool);
  const property = workflow_id ? /^workflow_ids?$/ : /^(?:kb|knowledge_base)_ids?$/;
  const forId = id
    ? tools.filter(
        (one) => inputPropertiesOf(one).some(([name]) => property.test(name)) || JSON.stringify(one).includes(id),
      )
    : [];
  const chosen =
    exact ??
    forId.find(({ name }) => ofType.length === 0 || ofType.some((one) => one.name === name)) ??
    // Several tools have the type: take one that searches, else the first that takes a question.
    ofType.find(isSearch) ??
    ofType.find(isAskable) ??
    ofType[0] ??
    (kb_id && !workflow_id ? tools.find((one) => isSearch(one) && /knowledge|kb/.test(one.name)) : undefined);
  return chosen ? { kind: 'named', calls: [fill(chosen, turn)] } : { kind: 'missing', calls: [] };
}

function todos(turn: Turn, tools: readonly ModelTool[]): Plan | undefined {
  const wish = parseTodoCommand(turn.text);
  const tool = (name: string) => tools.find((one) => one.name === `todos_${name}`);
  const read = tool('read_todos');
  if (!wish) return undefined;
  if (wish.verb === 'read')
    return read && { kind: 'todos', calls: [{ name: read.name, input: {} }], wish, found: true };
  if (wish.verb === 'add') {
    const add = tool('add_todo');
    return (
      add && {
        kind: 'todos',
        calls: wish.items.map((text) => ({ name: add.name, input: todoInput(add, { text }) })),
        wish,
        found: true,
      }
    );
  }
  const change = tool(wish.verb === 'complete' ? 'update_todo_status' : 'remove_todo');
  if (!change || !read) return undefined;
  const first = { name: read.name, input: {} };
  const list = turn.made.find(({ name }) => name === read.name);
  const todo = list?.result && findTodo(todosIn(list.result.output), wish.item);
  if (!todo) return { kind: 'todos', calls: [first], wish, found: list === undefined };
  const status = wish.verb === 'complete' ? { status: 'completed' } : {};
  return {
    kind: 'todos',
    calls: [first, { name: change.name, input: todoInput(change, { ...todo, ...status }) }],
    wish,
    found: true,
  };
}

/**
 * Searches the agent's own sources first; for what a question without a topic goes on about, or in other tools, when the
 * first searches found nothing.
 */
function search(turn: Turn, tools: readonly ModelTool[]): Plan & { kind: 'search' } {
  const asked = new Set(termsOf(turn.readings.map(({ query }) => query).join('\n')));
  if (asked.size === 0) return { kind: 'search', calls: [] };
  const generic = new Set(termsOf('search find query recall look documents files information text'));
  const scored = tools
    .filter((tool) => isSearch(tool) && isAskable(tool))
    .map((tool) => {
      const about = new Set(termsOf(`${tool.name.replaceAll('_', ' ')} ${tool.description}`));
      const fit = [...asked].filter((term) => about.has(term) && !generic.has(term)).length;
      const own = /knowledge|\bkb|handbook|document(?!ation)|file|memor|recall|table/i.test(
        `${tool.name} ${tool.description}`,
      );
      return { tool, fit, own: own && !/^(?:web|documentation)_/.test(tool.name) };
    })
    .sort((one, other) => other.fit - one.fit || Number(other.own) - Number(one.own));
  const fitting = scored.filter(({ own, fit }) => own || fit > 0).slice(0, mostSearches);
  const rest = scored.filter((one) => !fitting.includes(one)).slice(0, mostSearches - fitting.length);
  const rounds = [
    ...turn.readings.map(({ query }) => fitting.map(({ tool }) => fill(tool, turn, query))),
    rest.map(({ tool }) => fill(tool, turn)),
  ].filter((round) => round.length > 0);
  const calls: Wanted[] = [];
  for (const round of rounds) {
    const isStarted = turn.made.length > calls.length;
    if (calls.length > 0 && !isStarted && (turn.made.length < calls.length || findAnswer(turn).length > 0)) break;
    calls.push(...round);
  }
  return { kind: 'search', calls };
}

export function planFor(turn: Turn, tools: readonly ModelTool[]): Plan {
  const first = named(turn, tools) ?? todos(turn, tools);
  if (first) return first;
  const [phrases, advice] = [phrasesIn(turn.language), adviceIn(turn.language)];
  const reply = smallTalk(turn.text, phrases, advice);
  if (reply) return { kind: 'talk', calls: [], reply };
  if (asksAboutAgent(turn.text)) {
    const text = describeAgent(turn.hints.agent, tools, phrases);
    return { kind: 'talk', calls: [], reply: { text, advice: advice.aboutModel } };
  }
  if (asksTime(turn.text) && tools.some(({ name }) => name === 'clock_now')) {
    const time_zone = timeZoneIn(turn.text);
    return { kind: 'time', calls: [{ name: 'clock_now', input: time_zone ? { time_zone } : {} }] };
  }
  const asksHow = turn.readings[0]?.question.kind === 'steps';
  const figures = asksHow ? undefined : planFigures(turn, tools, phrases);
  const queries = (figures?.queries ?? []).map(({ sql, params }) => ({ name: 'tables_sql', input: { sql, params } }));
  const isCounting = turn.made.filter(({ name }) => name === 'tables_sql').length < queries.length;
  if (figures && (isCounting || figures.answer))
    return { kind: 'figures', calls: queries, answer: figures.answer ?? [] };
  // Rows that fulfil some of the conditions are no answer.
  const unused = figures?.unused;
  const searched = figures?.excludesRows ? tools.filter(({ name }) => !name.startsWith('tables_')) : tools;
  const plan = search({ ...turn, made: turn.made.filter(({ name }) => name !== 'tables_sql') }, searched);
  return { ...plan, calls: [...queries, ...plan.calls], ...(unused && { unused }) };
}

/**
 * The planned calls that were not made yet. They are counted by name, because their input may differ between steps; so
 * no call is made twice, whether it failed or not.
 */
export function pendingCalls(plan: Plan, turn: Turn): Wanted[] {
  const made = new Map<string, number>();
  for (const { name } of turn.made) made.set(name, (made.get(name) ?? 0) + 1);
  return plan.calls.filter(({ name }) => {
    const left = made.get(name) ?? 0;
    made.set(name, left - 1);
    return left <= 0;
  });
}
