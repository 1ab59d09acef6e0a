/** Scripts that put no blanks between words, or join much to them. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const sign = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー]`;
const runs = new RegExp(`${sign}(?:${sign}|\\p{M})*`, 'gu');
const mark = /\p{M}/u;

const pairsOf = (signs: readonly string[]) => signs.slice(1).map((second, at) => `${signs[at]}${second}`);

/**
 * Splits text of scripts without spaces into pairs of adjacent characters, which an index of any language can find.
 * Words of scripts with spaces stay unchanged.
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
