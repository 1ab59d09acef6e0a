/** Why a value does not fit: the `type` and `msg` of a validation error. */
export interface InputFault {
  type: string;
  msg: string;
}

/** How a node takes its value from the start of a run. */
export interface RunInput {
  /** Whether the config has a value for runs that bring none. */
  hasFallback(config: Record<string, unknown>): boolean;
  /** The fault of a value in the input of a run; undefined when it has none. */
  findFault(value: unknown, config: Record<string, unknown>): InputFault | undefined;
}

export const isGiven = (value: unknown) => value !== undefined && value !== null;
