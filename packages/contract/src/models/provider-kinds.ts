/** The kinds of model providers that the server has a driver for. */
export const providerKinds = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'azure',
  'bedrock',
  'openai-compatible',
] as const;
export type ProviderKind = (typeof providerKinds)[number];
