import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { bedrock } from './bedrock.ts';
import type { ProviderDefinition } from './driver.ts';
import { google } from './google.ts';
import { mistral } from './mistral.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';

/** Every kind of provider. The order is that of the documented variables and of the search for a bare model name. */
export const allProviders: readonly ProviderDefinition[] = [
  openai,
  anthropic,
  google,
  mistral,
  azure,
  bedrock,
  openaiCompatible,
];
