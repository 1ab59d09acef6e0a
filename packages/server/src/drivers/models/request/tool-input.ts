/** Parses the arguments of a tool call; text that is not JSON stays text, so that the loop can show it to the model. */
export function parseArguments(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Arguments must be an object; invalid ones are wrapped in one, so that the model sees them. */
export const asObject = (input: unknown): object =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { arguments: input };
