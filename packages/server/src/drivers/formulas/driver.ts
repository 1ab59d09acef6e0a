export type SheetCell = string | number | boolean | null;

export interface Sheet {
  name: string;
  rows: readonly (readonly SheetCell[])[];
}

/** What came of a formula: a value, or the error that a spreadsheet shows in its place (#DIV/0!). */
export interface Computed {
  sheet: string;
  /** A1 */
  cell: string;
  value: string | number | boolean;
}

/** Computes the formulas of a workbook: every text that begins with `=`. */
export interface Formulas {
  compute(sheets: readonly Sheet[], signal: AbortSignal): Promise<Computed[]>;
}

/** They can't be computed, in words for whoever wrote them. */
export class FormulasRefused extends Error {}
