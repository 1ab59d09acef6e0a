import { termsOf } from '../../../../lib/text/terms.ts';
import type { Passage } from '../passages.ts';
import { readBlocks, type TextBlock } from './read-blocks.ts';

/** Something that can be quoted by itself: a sentence, an item, a list, a row, a table. */
export interface AnswerUnit {
  passage: Passage;
  /** Where the passage stands among the others. */
  rank: number;
  kind: 'sentence' | 'item' | 'list' | 'row' | 'table' | 'code';
  /** The lines of the quote. */
  lines: string[];
  terms: ReadonlySet<string>;
  /** Terms of the nearest heading, the intro or the names of columns, which hold for the unit. */
  over: ReadonlySet<string>;
  /** Terms of the title and of further headings. */
  above: ReadonlySet<string>;
  /** Terms of the sentences beside it. */
  beside: ReadonlySet<string>;
  /** Terms of headings that other parts of the passage stand under. */
  rivals: ReadonlySet<string>;
  /** Terms of all of the passage. */
  within: ReadonlySet<string>;
  /** The sentences of its paragraph, and which of them it is. */
  paragraph?: readonly string[];
  at?: number;
  /** It is the first text below its heading. */
  first: boolean;
  /** The names of the columns and the cells of a row. */
  columns?: readonly string[] | undefined;
  cells?: readonly string[] | undefined;
}

const longestList = 2_500;
const mostTableRows = 15;
const mostCodeLines = 12;
const stepNumber = /^\s*\(?\d+[.)]\s+/;

/** A row in words: `order: 1042, status: shipped`. Empty cells are left out. */
export const describeRow = (cells: readonly string[], columns: readonly string[] | undefined): string =>
  cells
    .flatMap((cell, at) => {
      if (cell === '') return [];
      const column = columns?.[at];
      return column ? `${column}: ${cell}` : cell;
    })
    .join(', ');

const setOf = (...texts: readonly string[]): Set<string> => new Set(texts.flatMap(termsOf));
const asksBack = (sentence: string) => /[?？؟]["”»)]*$/.test(sentence);

/** Cuts a long list between items. */
function fitItems(items: readonly string[]): string[] {
  let room = longestList;
  return items.filter((item) => {
    room -= item.length;
    return room >= 0;
  });
}

/** A row that a search of tables has found. */
function rowUnit(passage: Passage, { columns, cells }: NonNullable<Passage['row']>, rank: number): AnswerUnit {
  const [over, above, terms] = [setOf(...columns), setOf(passage.title), setOf(...cells)];
  const within = new Set([...over, ...above, ...terms]);
  return {
    ...{ passage, rank, kind: 'row', lines: [passage.text] },
    terms,
    over,
    above,
    beside: new Set(),
    rivals: new Set(),
    within,
    first: false,
  };
}

export function unitsOf(passage: Passage, text: string, rank: number): AnswerUnit[] {
  if (passage.row) return [rowUnit(passage, passage.row, rank)];
  const blocks = readBlocks(text);
  const title = setOf(passage.title, passage.heading ?? '');
  const within = setOf(passage.title, passage.heading ?? '', text);
  const path: { level: number; terms: Set<string> }[] = [];
  const units: AnswerUnit[] = [];
  let first = true;
  /** A question in the text holds for what follows it, as a heading does. */
  let asked: Set<string> = new Set();

  const above = () => new Set([...title, ...path.slice(0, -1).flatMap(({ terms }) => [...terms])]);
  const over = () => new Set([...(path.at(-1)?.terms ?? []), ...asked]);
  const headings = setOf(...blocks.flatMap((block) => (block.kind === 'heading' ? block.text : [])));
  const rivals = () => headings.difference(new Set(path.flatMap(({ terms }) => [...terms])));
  /** The paragraph right before a list, a table or an example is about it. */
  let lead: Set<string> = new Set();
  let example: Set<string> = new Set();
  const add = (unit: Pick<AnswerUnit, 'kind' | 'lines'> & Partial<AnswerUnit>) =>
    units.push({
      ...{
        passage,
        rank,
        terms: setOf(...unit.lines),
        over: over(),
        above: above(),
        beside: new Set(),
        rivals: rivals(),
        within,
        first,
      },
      ...unit,
    });

  function addParagraph({ sentences }: TextBlock & { kind: 'paragraph' }): void {
    for (const [at, sentence] of sentences.entries()) {
      if (asksBack(sentence) && sentences.length + blocks.length > 1) {
        asked = setOf(sentence);
        first = true;
        continue;
      }
      const beside = new Set([
        ...setOf(sentences[at - 1] ?? '', sentences[at + 1] ?? ''),
        ...(at === 0 ? example : []),
      ]);
      add({ kind: 'sentence', lines: [sentence], beside, paragraph: sentences, at });
      first = false;
    }
  }
  function addList({ intro, items, ordered }: TextBlock & { kind: 'list' }): void {
    const intros = setOf(intro ?? '');
    const holds = new Set([...over(), ...intros]);
    const marked = fitItems(items).map((item) => (ordered ? item : `- ${item}`));
    const lines = intro ? [intro, ...marked] : marked;
    // The number of a step is no number that a question asks for.
    add({
      kind: 'list',
      lines,
      terms: setOf(...lines.map((line) => line.replace(stepNumber, ''))),
      over: holds,
      beside: lead,
    });
    if (!ordered)
      for (const item of items)
        add({
          kind: 'item',
          lines: intro ? [intro, `- ${item}`] : [item],
          terms: setOf(item),
          over: holds,
          first: false,
        });
  }
  function addRows({ columns, rows }: TextBlock & { kind: 'rows' }): void {
    const names = setOf(...(columns ?? []));
    const holds = new Set([...over(), ...names]);
    const lines = rows.map((row) => describeRow(row, columns));
    if (rows.length > 1 && columns)
      add({ kind: 'table', lines: lines.slice(0, mostTableRows), terms: names, over: holds, beside: lead, columns });
    for (const [at, row] of rows.entries())
      add({
        kind: 'row',
        lines: [lines[at] ?? ''],
        terms: setOf(...row),
        over: holds,
        first: false,
        columns,
        cells: row,
      });
  }

  for (const block of blocks) {
    if (block.kind === 'heading') {
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, terms: setOf(block.text) });
      asked = new Set();
      lead = new Set();
      first = true;
      continue;
    }
    if (block.kind === 'code') {
      add({ kind: 'code', lines: block.lines.slice(0, mostCodeLines), beside: lead, first: false });
      example = setOf(...block.lines);
      continue;
    }
    if (block.kind === 'paragraph') {
      addParagraph(block);
      lead = setOf(...block.sentences);
    } else if (block.kind === 'list') addList(block);
    else addRows(block);
    example = new Set();
    if (block.kind !== 'paragraph' || !asksBack(block.sentences.at(-1) ?? '')) asked = new Set();
    first = asked.size > 0;
  }
  // A heading without its section is better than nothing.
  if (units.length === 0)
    for (const block of blocks)
      if (block.kind === 'heading') add({ kind: 'sentence', lines: [block.text], paragraph: [block.text], at: 0 });
  return units;
}
