import type { ModelMessage, ModelRequest, ModelTool } from '../../drivers/models/driver.ts';
import { anonymizeSchema } from './anonymize-schema.ts';
import { type AnonymizeText, anonymizeValue } from './anonymize-value.ts';

async function each<T, R>(list: readonly T[], change: (item: T) => Promise<R>): Promise<R[]> {
  const changed: R[] = [];
  // In sequence, since placeholders are numbered in the order of the text.
  for (const item of list) changed.push(await change(item));
  return changed;
}

async function hideMessage(message: ModelMessage, hide: AnonymizeText): Promise<ModelMessage> {
  if (message.role === 'tool')
    return {
      role: 'tool',
      results: await each(message.results, async (result) => ({
        ...result,
        output: await hide.json(result.output),
      })),
    };
  if (message.role === 'assistant')
    return {
      role: 'assistant',
      parts: await each(message.parts, async (part) =>
        part.type === 'text'
          ? { ...part, text: await hide(part.text) }
          : { ...part, input: await anonymizeValue(part.input, hide) },
      ),
    };
  return {
    role: 'user',
    parts: await each(message.parts, async (part) =>
      part.type === 'text'
        ? { ...part, text: await hide(part.text) }
        : { ...part, filename: await hide(part.filename) },
    ),
  };
}

const hideTool = async (tool: ModelTool, hide: AnonymizeText): Promise<ModelTool> => ({
  ...tool,
  description: await hide(tool.description),
  ...(tool.data && { data: await each(tool.data, hide.json) }),
  input_schema: (await anonymizeSchema(tool.input_schema, hide)) as ModelTool['input_schema'],
});

/** A model that sees only placeholders can't stop at the value of one. */
async function openStops(stops: readonly string[], hide: AnonymizeText): Promise<string[]> {
  const hidden = await each(stops, hide);
  return stops.filter((stop, index) => stop === hidden[index]);
}

/** Anonymizes all text in a request. Images stay as they are, since text in them can't be read here. */
export async function anonymizeRequest(request: ModelRequest, hide: AnonymizeText): Promise<ModelRequest> {
  return {
    ...request,
    system: await hide(request.system),
    messages: await each(request.messages, (message) => hideMessage(message, hide)),
    tools: await each(request.tools, (tool) => hideTool(tool, hide)),
    stop_sequences: await openStops(request.stop_sequences, hide),
    ...(request.json_schema && {
      json_schema: (await anonymizeSchema(request.json_schema, hide)) as Record<string, unknown>,
    }),
  };
}
