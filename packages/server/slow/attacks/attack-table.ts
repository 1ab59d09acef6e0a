/** Maps each attack to its outcomes by table column: whether the sandbox held. */
export type Outcomes = Map<string, Map<string, boolean>>;

const [from, to] = ['<!-- attacks -->', '<!-- /attacks -->'];

/** docs/sandboxes.md with its table brought up to date. */
export function withTable(document: string, columns: readonly string[], outcomes: Outcomes): string {
  const word = (held: boolean | undefined) => (held === undefined ? '' : held ? 'held' : '**broke**');
  const rows = [...outcomes].map(
    ([attack, found]) => `| ${attack} | ${columns.map((name) => word(found.get(name))).join(' | ')} |`,
  );
  const table = [`| attack | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---|').join('')}`, ...rows].join(
    '\n',
  );
  return `${document.slice(0, document.indexOf(from))}${from}\n${table}\n${document.slice(document.indexOf(to))}`;
}
