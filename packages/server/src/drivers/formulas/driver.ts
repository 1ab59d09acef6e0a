export type SheetCell = string | number | boolean | null;

export interface Sheet {
  name: string;
  rows: readonly (readonly SheetCell[])[];
}

/** The result of a formula: a value, or the error that a spreadsheet shows (#DIV/0!). */
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

/** Formulas can't be computed; their author sees the message. */
export class FormulasRefused extends Error {}
