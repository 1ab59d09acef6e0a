import type { UiPart } from '../thread/message-types.ts';

export interface StepWords {
  /** "Searched", "Read". */
  verb: string;
  /** What stands out: the knowledge base, the table. */
  object: string;
  /** What it looked for. */
  detail: string;
  /** "4 passages". */
  result: string;
}

const nameOf = (tool: string) => tool.replaceAll(/[_-]+/g, ' ').trim();
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const fieldOf = (value: unknown, ...names: string[]): string => {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const found = names.map((name) => fields[name]).find((field) => typeof field === 'string' && field);
  return typeof found === 'string' ? found : '';
};

/** How many things a result has, if it is a list or has one. */
export function countResults(output: unknown): number | undefined {
  if (Array.isArray(output)) return output.length;
  if (typeof output !== 'object' || output === null) return undefined;
  const { results, rows, items } = output as Record<string, unknown>;
  return [results, rows, items].find(Array.isArray)?.length;
}

export const toolNameOf = ({ type }: UiPart) => type.slice('tool-'.length);
export const isRunning = ({ type, state, data }: UiPart) =>
  type === 'data-tool-activity'
    ? (data as { state?: string })?.state === 'running'
    : state === 'streaming' || state === 'input-available' || state === 'approval-responded';
export const isFailed = ({ state, data }: UiPart) =>
  state === 'output-error' || (data as { state?: string })?.state === 'failed';

interface Words {
  searching: string;
  searched: string;
  counted: (kind: 'passages' | 'rows' | 'results', count: number) => string;
}

/** A call in words, from the name of its tool and what it was given. The agent's own texts win over these. */
export function describeTool(part: UiPart, words: Words): StepWords {
  const tool = toolNameOf(part);
  const { message } = (part['toolMetadata'] ?? {}) as { message?: string | null };
  const title = typeof part['title'] === 'string' ? part['title'] : '';
  const search = /^kb_(.+)_search$/.exec(tool)?.[1];
  const found = countResults(part['output']);
  const kind = search ? 'passages' : /table|row|sql/.test(tool) ? 'rows' : 'results';
  const result = found === undefined ? '' : words.counted(kind, found);
  if (message) return { verb: message, object: '', detail: '', result };
  const detail = fieldOf(part['input'], 'query', 'question', 'q', 'url', 'path', 'name', 'sql');
  if (search && !title)
    return {
      verb: isRunning(part) ? words.searching : words.searched,
      object: capital(nameOf(search)),
      detail,
      result,
    };
  return { verb: '', object: title || capital(nameOf(tool)), detail, result };
}
