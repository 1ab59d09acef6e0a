import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import { type ModelRequest, type ModelWarning, maxTokensLowered } from '../../drivers/models/driver.ts';

/** Lowers a request to the known limits of a model. A model whose limits are not known is asked as it is. */
export function fitToModel(
  { model, max_output_tokens, reasoning }: Pick<ModelInfo, 'model' | 'max_output_tokens' | 'reasoning'>,
  request: ModelRequest,
): { request: ModelRequest; warnings: ModelWarning[] } {
  const fitted = { ...request };
  const warnings: ModelWarning[] = [];
  const warn = (setting: string, warning: ModelWarning) => {
    if (!request.unasked?.includes(setting)) warnings.push(warning);
  };
  if (max_output_tokens !== null && request.max_tokens > max_output_tokens) {
    fitted.max_tokens = max_output_tokens;
    warn('max_tokens', maxTokensLowered(model, request.max_tokens, max_output_tokens));
  }
  if (reasoning === false && request.reasoning !== 'off') {
    fitted.reasoning = 'off';
    warn('reasoning_effort', { message: `reasoning_effort was left out: ${model} does not reason` });
  }
  return { request: fitted, warnings };
}
