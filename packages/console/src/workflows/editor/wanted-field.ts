/** The field that a fault leads to; the panel of its step gives it the focus once it is drawn. */
let wanted: { step: string; field: string | undefined } | undefined;

export const wantField = (step: string, field: string | undefined): void => {
  wanted = { step, field };
};

/** The field to begin with in a step's panel, asked for once. */
export function takeWantedField(step: string): string | undefined {
  const field = wanted?.step === step ? wanted.field : undefined;
  if (wanted?.step === step) wanted = undefined;
  return field;
}
