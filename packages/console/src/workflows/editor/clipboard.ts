/** The steps that were copied last in this page: the browser may refuse to read its clipboard. */
let last = '';

export const rememberCopied = (text: string): void => {
  last = text;
};

export async function writeClipboard(text: string): Promise<void> {
  rememberCopied(text);
  await navigator.clipboard?.writeText(text);
}

/** What the buttons paste. The paste key brings its own text. */
export const lastCopied = (): string => last;
