import type { TaggedSpan } from '../driver.ts';
import type { Asset } from './asset.ts';
import { makeFeatures, makeListLookup } from './features.ts';
import type { Kernel } from './kernel.ts';
import { makeJsKernel } from './kernel-js.ts';
import { makeWasmKernel } from './kernel-wasm.ts';
import { makeReadingBudget } from './reading-budget.ts';
import { rememberRuns } from './recent-runs.ts';
import { dropArticles } from './rules/articles.ts';
import { makeFullNames } from './rules/full-names.ts';
import { makeDropNamesakes } from './rules/known-pairs.ts';
import { type Token, tokensOf } from './tokenizer.ts';
import { makeDecoder, type Run } from './viterbi.ts';
import { windowsOf } from './windows.ts';

/** The number of words whose results are cached: 8 MB, and most words of a text are common ones. */
const keptWords = 2048;
const wanted = new Set<string>(['PERSON', 'LOCATION', 'NRP'] satisfies TaggedSpan['entity'][]);

export interface Reader {
  /** Yields the spans of each window, after about a millisecond of work. */
  spansOf(text: string): Generator<TaggedSpan[]>;
  /** Finds the names among words that are tokens already. */
  runsOf(words: readonly string[]): Run[];
}

export function makeKernel(asset: Asset): Kernel {
  try {
    return makeWasmKernel(asset, keptWords);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return makeJsKernel(asset, keptWords);
    throw error;
  }
}

/** Punctuation belongs to a name only inside of it. */
const isMark = ({ text }: Token) => !/[\p{L}\p{N}]/u.test(text);

/** Titles are not part of a name. The training data agrees, but has few titles of other languages. */
const titles = new Set(
  'mr mrs ms miss mx dr prof doctor professor herr frau señor señora sr sra monsieur madame mme mlle signor signora'.split(
    ' ',
  ),
);

/** Places have numbers in their addresses; names of persons and groups have none. */
const isPart = ({ text }: Token, kind: string) => kind === 'LOCATION' || !/^\d/.test(text);

/** The range from the first to the last word of a name; undefined when there is none. */
function rangeOf(tokens: readonly Token[], kind: string): { start: number; end: number } | undefined {
  const words = tokens.filter((token) => !isMark(token) && isPart(token, kind));
  const first = words.find(({ text }) => kind !== 'PERSON' || !titles.has(text.toLowerCase()));
  const last = words.at(-1);
  return first && last ? { start: first.start, end: last.end } : undefined;
}

export function makeReader(asset: Asset, kernel: Kernel = makeKernel(asset)): Reader {
  const writeFeatures = makeFeatures(asset);
  const decode = makeDecoder(asset.tags, asset.floats('steps'), asset.biases);
  const findFullNames = makeFullNames(asset);
  const dropNamesakes = makeDropNamesakes(asset);
  const slots = new Map<string, number>();

  function slotOf(word: string): number {
    const known = slots.get(word);
    if (known !== undefined) return known;
    const slot = slots.size;
    writeFeatures(word, kernel.features);
    kernel.keep(slot);
    slots.set(word, slot);
    return slot;
  }

  const { isKnown, runsOf } = rememberRuns((words) => {
    if (words.length === 0) return [];
    // A full cache is cleared between windows, so that no window loses a word while it is read.
    if (slots.size + words.length > kernel.slots) slots.clear();
    const decoded = decode(kernel.read(words.map(slotOf)), words.length);
    const runs = dropArticles(words, dropNamesakes(words, decoded));
    return [...runs, ...findFullNames(words, runs)];
  });

  const isOn = makeListLookup(asset);
  const cost = {
    isFree: isKnown,
    isCached: (word: string) => slots.has(word),
    isListed: (word: string) => asset.lists.some((list) => isOn(list, word)),
  };

  return {
    runsOf,
    *spansOf(text) {
      const budget = makeReadingBudget(cost);
      for (const tokens of windowsOf(tokensOf(text))) {
        const window = budget.spend(tokens);
        const spans: TaggedSpan[] = [];
        for (const { kind, first, end, share } of runsOf(window.map((token) => token.text))) {
          if (!wanted.has(kind)) continue;
          const range = rangeOf(window.slice(first, end), kind);
          const score = Math.round(Math.min(0.89, Math.max(0.3, share)) * 100) / 100;
          if (range) spans.push({ entity: kind as TaggedSpan['entity'], ...range, score });
        }
        yield spans;
      }
    },
  };
}
