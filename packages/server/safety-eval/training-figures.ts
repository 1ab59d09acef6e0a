import { readFileSync } from 'node:fs';

interface Ratios {
  p: number;
  r: number;
  f1: number;
  overlap_f1: number;
  gold: number;
}

export type Figures = Record<string, Record<'PERSON' | 'LOCATION' | 'NRP', Ratios>>;

/** What the training said of the weights that are in the asset; packages/server/test/tagger-figures.deep.test.ts asks the asset itself. */
export const trainingFigures = (
  JSON.parse(readFileSync(new URL('../../../training/ner/figures.json', import.meta.url), 'utf8')) as {
    figures: Record<string, Figures>;
  }
).figures;

const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const cell = ({ p, r, f1, overlap_f1, gold }: Ratios) =>
  gold ? `${p.toFixed(2)} / ${r.toFixed(2)}, ${f1.toFixed(2)}, ${overlap_f1.toFixed(2)}` : '–';

function rowsOf(casing: string, wanted: (source: string) => boolean): string[] {
  const figures = trainingFigures[`${casing}, with bias`] as Figures;
  return Object.entries(figures)
    .filter(([source]) => wanted(source))
    .map(([source, { PERSON, LOCATION, NRP }]) =>
      row(casing === 'as is' ? source : `${source}, ${casing}`, cell(PERSON), cell(LOCATION), cell(NRP)),
    );
}

export const trainingTable = [
  row('source', 'PERSON', 'LOCATION', 'NRP'),
  row(...Array(4).fill('---')),
  ...rowsOf('as is', () => true),
  ...rowsOf('lower', (source) => source === 'all'),
  ...rowsOf('UPPER', (source) => source === 'all'),
].join('\n');
