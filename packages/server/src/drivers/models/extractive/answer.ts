import type { ModelTool } from '../driver.ts';
import { findAnswer, foundBy } from './find-answer.ts';
import { toolTitle } from './passages.ts';
import type { Plan } from './plan.ts';
import type { Turn, TurnToolCall } from './read-turn.ts';
import type { Quote } from './reading/rank-answers.ts';
import { todosIn } from './todos.ts';
import { adviceIn } from './words/advice.ts';
import { type Phrases, phrasesIn } from './words/phrases.ts';
import { joinNames, placesOf } from './words/search-places.ts';
import type { Reply } from './words/small-talk.ts';

const source = ({ title, url }: Pick<Quote, 'title' | 'url'>) => {
  const name = title.replace(/[[\]\s]+/g, ' ').trim() || 'untitled';
  return url ? `[${name}](${url.replace(/[()]/g, encodeURIComponent)})` : `[${name}]`;
};
/** Lists keep their lines, indented below the quote that they are part of. */
const quoted = (quote: Quote) => `- “${quote.lines.join('\n  ')}” ${source(quote)}`;

/** The quotes, and the words of the question that none of them carries. */
function showQuotes(quotes: readonly Quote[], phrases: Phrases): string[] {
  const [first, ...others] = quotes;
  const missing = (first?.missing ?? []).filter((word) => others.every((other) => other.missing.includes(word)));
  const list = quotes.map(quoted).join('\n');
  return [phrases.found, list, ...(missing.length > 0 ? [phrases.notUsed(missing.join(', '))] : [])];
}

const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text);

const failuresOf = (made: readonly TurnToolCall[]) =>
  made.flatMap(({ name, result }) =>
    result?.is_error ? [`${toolTitle(name)} did not work: ${short(result.output, 300)}`] : [],
  );

/** Paragraphs of an answer, and those that only the operator reads. */
interface Paragraphs {
  text: string[];
  advice?: string[];
  /** Nothing that was searched answers the question. */
  found_nothing?: true;
}

const failed = ({ language }: Turn, failures: string[]): Paragraphs => ({
  text: [phrasesIn(language).failed],
  advice: failures,
});

function answerFromSearch(turn: Turn, tools: readonly ModelTool[], unused: readonly string[] = []): Paragraphs {
  const phrases = phrasesIn(turn.language);
  const quotes = findAnswer(turn);
  const failures = failuresOf(turn.made);
  const notes = [...(failures.length > 0 ? [phrases.partly] : []), ...turn.unreadable.map(phrases.unreadable)];
  const advice = [...failures, ...(turn.unreadable.length > 0 ? [adviceIn(turn.language).unreadable] : [])];
  if (quotes.length > 0) return { text: [...showQuotes(quotes, phrases), ...notes], advice };
  const searched = new Set(turn.made.flatMap(({ name, result }) => (result?.is_error ? [] : name)));
  const places = placesOf(searched, tools, phrases);
  if (unused.length > 0) notes.unshift(phrases.noFigure(unused.join(', ')));
  const text = [phrases.nothing(joinNames(places, phrases)), ...notes];
  return { text, advice: [...advice, adviceIn(turn.language).honest], found_nothing: true };
}

/** The result of a tool that the message named: its best parts, or all of it. */
function answerFromNamedTool(turn: Turn): Paragraphs {
  const phrases = phrasesIn(turn.language);
  const failures = failuresOf(turn.made);
  if (failures.length > 0) return failed(turn, failures);
  const passages = foundBy(turn.made);
  if (passages.length === 0) return { text: [phrases.noResult] };
  const quotes = findAnswer(turn);
  if (quotes.length > 0 && passages.length > 1) return { text: showQuotes(quotes, phrases) };
  const results = passages.slice(0, 5).map((passage) => `${short(passage.text.trim(), 1_000)} ${source(passage)}`);
  return { text: [phrases.result, ...results] };
}

function answerWithTime(turn: Turn): Paragraphs {
  const output = turn.made.find(({ name, result }) => name === 'clock_now' && result && !result.is_error)?.result
    ?.output;
  if (output === undefined) return failed(turn, failuresOf(turn.made));
  try {
    const { utc, local, time_zone } = JSON.parse(output) as Record<string, unknown>;
    if (utc && local)
      return {
        text: [time_zone === 'UTC' ? `It is ${local} (UTC).` : `It is ${local} (${time_zone}), ${utc} in UTC.`],
      };
  } catch {
    // Another clock tool may answer in another format, which is quoted as it is.
  }
  return { text: [short(output, 300)] };
}

function answerAboutTodos(turn: Turn, { wish, found }: Plan & { kind: 'todos' }): Paragraphs {
  const { made } = turn;
  const failures = failuresOf(made);
  if (failures.length > 0) return failed(turn, failures);
  if (wish.verb === 'add') return { text: [`Added to the list: ${wish.items.join('; ')}.`] };
  if (wish.verb === 'read') {
    const todos = todosIn(made.at(-1)?.result?.output ?? '');
    const list = todos.map(({ text }, at) => `${at + 1}. ${text}`).join('\n');
    const other = short(made.at(-1)?.result?.output ?? '', 1_000) || 'The list is empty.';
    return { text: list ? ['On the list:', list] : [other] };
  }
  if (!found) return { text: [`I found no to-do like “${wish.item}” on the list.`] };
  return {
    text: [wish.verb === 'complete' ? `Marked as done: ${wish.item}.` : `Removed from the list: ${wish.item}.`],
  };
}

function answerWithoutTool(turn: Turn, tools: readonly ModelTool[]): Paragraphs {
  const answer = answerFromSearch(turn, tools);
  return { ...answer, text: [phrasesIn(turn.language).noTool, ...answer.text] };
}

function paragraphsFor(plan: Plan, turn: Turn, tools: readonly ModelTool[]): Paragraphs {
  switch (plan.kind) {
    case 'talk':
      return { text: [plan.reply.text], advice: plan.reply.advice ? [plan.reply.advice] : [] };
    case 'missing':
      return answerWithoutTool(turn, tools);
    case 'figures':
      return { text: plan.answer };
    case 'named':
      return answerFromNamedTool(turn);
    case 'time':
      return answerWithTime(turn);
    case 'search':
      return answerFromSearch(turn, tools, plan.unused);
    case 'todos':
      return answerAboutTodos(turn, plan);
  }
}

/** The answer once every planned call has been made, and the advice for the operator alone. */
export function answerFor(
  plan: Plan,
  turn: Turn,
  tools: readonly ModelTool[],
): Required<Reply> & Pick<Paragraphs, 'found_nothing'> {
  const { text, advice = [], found_nothing } = paragraphsFor(plan, turn, tools);
  const join = (paragraphs: string[]) => paragraphs.filter(Boolean).join('\n\n');
  return {
    text: join(text) || phrasesIn(turn.language).noAnswer,
    advice: join(advice),
    ...(found_nothing && { found_nothing }),
  };
}
