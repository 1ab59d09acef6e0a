/** What the built-in model reads besides a message: the tool to use, the knowledge base to search, the workflow to run. */
export interface ToolHints {
  tool?: string | undefined;
  kb_id?: string | undefined;
  workflow_id?: string | undefined;
  /** The name of the agent, for a model that is asked who it is. */
  agent?: string | undefined;
}

const names = ['agent', 'tool', 'kb_id', 'workflow_id'] as const;
const line = /^\[\[(agent|tool|kb_id|workflow_id): ([^[\]\n]{1,200})\]\]$/;

/** A value can't end its own marker or begin another. */
const plain = (value: string) =>
  value
    .replace(/[[\]\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .trim();

/**
 * Appends a line for each hint: `[[tool: NAME]]`, `[[kb_id: ID]]`, `[[workflow_id: ID]]`. Language models read it as the
 * built-in model does. A user who types such a line gains nothing: a tool that is not offered is not called.
 */
export function appendToolHints(text: string, hints: ToolHints): string {
  const lines = names.flatMap((name) => {
    const value = plain(hints[name] ?? '');
    return value ? [`[[${name}: ${value}]]`] : [];
  });
  return lines.length ? `${text}\n\n${lines.join('\n')}` : text;
}

/** The text without its hints, and the hints. The last of a kind counts: it is the caller's, not the user's. */
export function readToolHints(text: string): { text: string; hints: ToolHints } {
  const lines = text.split('\n');
  const hints: ToolHints = {};
  let found = false;
  for (let last = lines.at(-1); last !== undefined; last = lines.at(-1)) {
    const [, name, value] = line.exec(last.trim()) ?? [];
    if (name) hints[name as keyof ToolHints] ??= value;
    else if (last.trim()) break;
    found ||= name !== undefined;
    lines.pop();
  }
  return { text: found ? lines.join('\n') : text, hints };
}
