import type { ModelRequest } from '../../drivers/models/driver.ts';

/** A request for words alone, with nothing left to chance; whoever wants it otherwise says so over it. */
export const plainRequest = {
  tools: [],
  parallel_tool_calls: false,
  temperature: 0,
  top_p: 1,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop_sequences: [],
  reasoning: 'off',
  cache: false,
} satisfies Partial<ModelRequest>;
