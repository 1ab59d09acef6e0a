import type { ModelTool } from '../../driver.ts';
import type { Phrases } from './phrases.ts';

/** The names of knowledge bases in the descriptions of their tools. */
function knowledgeBasesIn({ name, description }: ModelTool): string[] {
  if (name === 'knowledge_search') return [/knowledge bases: ([^\n]+?)\.?$/m.exec(description)?.[1] ?? ''];
  const [, said] = /^Searches the knowledge base ([^\n]+?)(?: \(kb_id|$)/m.exec(description) ?? [];
  return said ? [`“${said.split('. ')[0]}”`.replace(/[“”]/g, '"')] : [];
}

/** The names of the tables in the description of the tool that reads them. */
export const tableNamesIn = (tools: readonly Pick<ModelTool, 'name' | 'description'>[]): string[] => {
  const { description = '' } = tools.find(({ name }) => name === 'tables_query') ?? {};
  return [...description.matchAll(/^- \w+ \(([^;:\n]+)[;:]/gm)].map(([, name = '']) => name);
};

export const joinNames = (names: readonly string[], { and }: Pick<Phrases, 'and'>): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`;

/** What a tool searches, in words of the user; undefined for tools that search nothing of their own. */
function placeOf(tool: ModelTool, tools: readonly ModelTool[], phrases: Phrases): string[] {
  const { name } = tool;
  const bases = knowledgeBasesIn(tool).filter(Boolean);
  if (bases.length > 0) return bases;
  if (name.startsWith('tables_')) return tableNamesIn(tools);
  if (/^(?:filesystem|files?|conversation_files?)_/.test(name)) return [phrases.files];
  return /memor|recall/.test(name) ? [phrases.memories] : [];
}

/** The places that these tools search, each once, as users know them: names of tools are not for users. */
export const placesOf = (names: ReadonlySet<string>, tools: readonly ModelTool[], phrases: Phrases): string[] => [
  ...new Set(tools.filter(({ name }) => names.has(name)).flatMap((tool) => placeOf(tool, tools, phrases))),
];
