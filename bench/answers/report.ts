import type { EvalQuestion } from './answer-set.ts';
import type { Judged } from './judge-answer.ts';

export interface Asked extends Judged {
  set: string;
  question: EvalQuestion;
  answer: string;
}

const percent = (count: number, of: number) => (of === 0 ? '–' : `${Math.round((1000 * count) / of) / 10} %`);

const intro = `# Answers without a language model

How well the built-in model (\`atrium/extractive\`) answers: questions over documents of several kinds (Markdown, text, HTML, PDF, CSV, XLSX) and tables, asked over
the API of a fresh server with its default settings. Made by \`npm run answers\`; the documents and questions stand in \`bench/answers\`.

- **right**: the answer has every expected text; to a question without an answer it quotes nothing and says so.
- **missed**: there is an answer, and the model says that it found none.
- **wrong**: it quotes something else, or anything at all to a question without an answer.
- **invented**: quoted lines that stand in no document and no table.

The model was built with the first set in view; before that, 28 of its 50 answers were right and 22 wrong. The second set, over other documents, was written
afterwards: at its first run 25 of its 30 answers were right (83.3 %), 4 missed and 1 wrong (3.3 %), none invented. Its failures then led to general changes (steps in one line of
a PDF, words that a long message has and no document, synonyms), so the table below is no longer a blind figure for it.

The third set has further questions over the documents of the first: rows, lists, follow-ups. At its first run 12 of its 15 answers were right (80 %), 2 missed and
1 wrong (6.7 %), none invented. The wrong one, and one of the first set, led to two general changes: numbers of steps are no words of a list, and a list whose heading
says all that is asked is preferred.

The own docs set asks about these pages, the office set about papers and tables of an invented company. Both were written without a look at the answerer; at their
first run 28 of their 60 answers were right, 12 missed and 20 wrong. Their failures then led to changes, so the table below is no blind figure for them either.

The freight set asks about papers and tables of another invented company, the second own docs set about these pages. At their first run 46 of their 65 answers
were right (70.8 %), 16 missed and 3 wrong (4.6 %), none invented; the wrong ones were all about these pages.
Their failures then led to changes.

The alpine set asks about a club, the third own docs set about these pages again. Both were written after those changes; at their first run 34 of their 50 answers were
right (68 %), 13 missed and 3 wrong (6 %), none invented. One of the three, the beds of the Austrian huts, is no fault of the model: the set expects no answer, and the tables have it.
Their failures led to changes, too, so the table below is a blind figure for no set.
`;

function countSet(set: string, all: readonly Asked[]): string[] {
  return (['with an answer', 'without an answer', 'all'] as const).map((kind) => {
    const own = all.filter(({ question: { expect } }) => kind === 'all' || (kind === 'with an answer') === !!expect);
    const of = (verdict: Judged['verdict']) => own.filter((one) => one.verdict === verdict).length;
    const invented = own.filter((one) => one.invented.length > 0).length;
    const cells = [of('right'), of('missed'), of('wrong'), invented].map(
      (count) => `${count} (${percent(count, own.length)})`,
    );
    return `| ${set}, ${kind} | ${own.length} | ${cells.join(' | ')} |`;
  });
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** The figures of each set, and what became of each question, as a page. */
export function writeReport(asked: readonly Asked[]): string {
  const sets = [...new Set(asked.map(({ set }) => set))];
  const figures = sets.flatMap((set) =>
    countSet(
      set,
      asked.filter((one) => one.set === set),
    ),
  );
  const lists = sets.map((set) => {
    const rows = asked
      .filter((one) => one.set === set)
      .map(({ question: { ask, after = [], expect }, verdict }) => {
        const said = [...after, ask].map(cell).join(' → ');
        return `| ${said} | ${expect ? expect.map(cell).join(' … ') : '–'} | ${verdict} |`;
      });
    return `\n## Questions of the ${set}\n\n| question | expected | |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${intro}\n| | questions | right | missed | wrong | invented |\n|---|---|---|---|---|---|\n${figures.join('\n')}\n${lists.join('')}`;
}
