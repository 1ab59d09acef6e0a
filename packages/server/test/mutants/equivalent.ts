/** Mutants that no caller can tell from the program. They are counted apart. */
export interface Equivalent {
  file: string;
  operator: string;
  /** The line without the change. */
  before: string;
  reason: string;
}

export const equivalents: readonly Equivalent[] = [];
