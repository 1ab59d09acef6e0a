import { LruCache } from '../lru-cache.ts';

/** What covers a credential in an answer. */
export const mask = '********';

const template = String.raw`\{\{\s*[\w.-]+\s*\}\}`;
const onlyTemplate = new RegExp(`^(?:(?:Bearer|Basic|Token|ApiKey)\\s+)?${template}$`, 'i');
/** Holds no secret: empty, or a template that names one. */
export const isOpen = (value: string) => value === '' || onlyTemplate.test(value);

const keyNames =
  'access|account|api|app|auth|client|functions|integration|license|master|private|routing|service|shared|signing|subscription';
const secretName = new RegExp(
  `(?:^|_)(?:auth|authorization|pass|passwd|password|pwd|secret|secret_id|token|(?:${keyNames})_?key|credentials?|signature|sig|cookie|jwt)$`,
);
const snake = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
/** Names of settings come again with every conversation; long ones come from callers and would fill the memory. */
const answers = new LruCache<string, boolean>({ max: 2000 });
const longestKnown = 60;
/** Whether what goes by this name is meant for few eyes. */
export function namesSecret(name: string): boolean {
  const known = answers.get(name);
  if (known !== undefined) return known;
  const answer = secretName.test(snake(name));
  if (name.length <= longestKnown) answers.set(name, answer);
  return answer;
}

/** Whether the name of a parameter or field says that its value is a credential. */
export const namesCredential = (name: string) => namesSecret(name) || /^(?:key|code)$/i.test(name);

export const isUrl = (name: string, value: string) =>
  /(?:^|_)ur[li]$/.test(snake(name)) || /^[a-z][a-z\d+.-]*:\/\/\S*$/i.test(value);
