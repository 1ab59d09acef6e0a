import type { LanguageFn } from 'highlight.js';
import core from 'highlight.js/lib/core';

export interface Colored {
  text: string;
  kind: string | undefined;
}

type Loader = () => Promise<{ default: LanguageFn }>;
const languages: Readonly<Record<string, Loader>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  css: () => import('highlight.js/lib/languages/css'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  python: () => import('highlight.js/lib/languages/python'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};
const otherNames: Readonly<Record<string, string>> = {
  ...{
    sh: 'bash',
    shell: 'bash',
    zsh: 'bash',
    js: 'javascript',
    jsx: 'javascript',
    ts: 'typescript',
    tsx: 'typescript',
  },
  ...{ py: 'python', rs: 'rust', html: 'xml', svg: 'xml', yml: 'yaml', golang: 'go' },
};

/** The longest code that is coloured. */
const longest = 60_000;

interface Node {
  scope?: string;
  children: (Node | string)[];
}

const flatten = (node: Node | string, kind: string | undefined): Colored[] => {
  if (typeof node === 'string') return [{ text: node, kind }];
  const own = node.scope?.split('.')[0] ?? kind;
  return node.children.flatMap((child) => flatten(child, own));
};

/** Code cut into pieces by what they are; nothing when the language is not known. No HTML is made. */
export async function colorCode(code: string, name: string): Promise<readonly Colored[] | undefined> {
  const language = otherNames[name.toLowerCase()] ?? name.toLowerCase();
  const load = languages[language];
  if (!load || code.length > longest) return undefined;
  if (!core.getLanguage(language)) core.registerLanguage(language, (await load()).default);
  const { _emitter } = core.highlight(code, { language, ignoreIllegals: true });
  return flatten((_emitter as unknown as { rootNode: Node }).rootNode, undefined);
}
