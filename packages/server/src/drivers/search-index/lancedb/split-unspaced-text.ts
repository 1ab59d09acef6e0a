/** Scripts that put no blanks between words, or join much to them. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const sign = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー]`;
const runs = new RegExp(`${sign}(?:${sign}|\\p{M})*`, 'gu');
const mark = /\p{M}/u;

const pairsOf = (signs: readonly string[]) => signs.slice(1).map((second, at) => `${signs[at]}${second}`);

/**
 * A question whose words the engine can tell apart: of such scripts, pairs of neighbouring signs stand for words. So they
 * are found in an index of whatever language, and words of other scripts beside them stay as they are.
 */
export const splitUnspacedQuestion = (text: string): string =>
  text.replace(runs, (run) => {
    const signs = [...run];
    return signs.length < 2 ? ` ${run} ` : ` ${pairsOf(signs).join(' ')} `;
  });

/** A text for such questions. It has every sign once more by itself, for a question that is nothing but one. */
export const splitUnspacedText = (text: string): string =>
  text.replace(runs, (run) => {
    const signs = [...run];
    return ` ${[...pairsOf(signs), ...signs.filter((one) => !mark.test(one))].join(' ')} `;
  });
