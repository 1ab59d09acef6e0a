/** What we use of the package, which brings no types. */
declare module 'fast-formula-parser' {
  export interface Place {
    row: number;
    col: number;
    sheet?: string;
  }

  export default class FormulaParser {
    static FormulaError: Record<string, unknown>;
    constructor(options: {
      functions: Record<string, () => never>;
      onCell(place: Place): unknown;
      onRange(range: { from: Place; to: Place; sheet?: string }): unknown[][];
    });
    parse(formula: string, place: Place): unknown;
  }
}
