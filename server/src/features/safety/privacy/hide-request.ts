import type { ModelMessage, ModelRequest, ModelTool } from '../../../drivers/models/driver.ts';
import { type HideText, hideJsonText, hideValue } from './hide-value.ts';

async function each<T, R>(list: readonly T[], change: (item: T) => Promise<R>): Promise<R[]> {
  const changed: R[] = [];
  // One after another: numbers are given out in the order in which things are said.
  for (const item of list) changed.push(await change(item));
  return changed;
}

async function hideMessage(message: ModelMessage, hide: HideText): Promise<ModelMessage> {
  if (message.role === 'tool')
    return {
      role: 'tool',
      results: await each(message.results, async (result) => ({
        ...result,
        output: await hideJsonText(result.output, hide),
      })),
    };
  if (message.role === 'assistant')
    return {
      role: 'assistant',
      parts: await each(message.parts, async (part) =>
        part.type === 'text'
          ? { ...part, text: await hide(part.text) }
          : { ...part, input: await hideValue(part.input, hide) },
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

/** What a schema says about its fields in words; the rest of it is for machines. */
async function hideWords(schema: unknown, hide: HideText): Promise<unknown> {
  if (Array.isArray(schema)) return each(schema, (item) => hideWords(item, hide));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = await each(Object.entries(schema), async ([key, own]) => {
    const worded = typeof own === 'string' && (key === 'description' || key === 'title');
    return [key, worded ? await hide(own) : await hideWords(own, hide)];
  });
  return Object.fromEntries(entries);
}

const hideTool = async (tool: ModelTool, hide: HideText): Promise<ModelTool> => ({
  ...tool,
  description: await hide(tool.description),
  input_schema: (await hideWords(tool.input_schema, hide)) as ModelTool['input_schema'],
});

/** Everything in a request that is text. Pictures stay as they are: nobody here can read what is written in them. */
export async function hideRequest(request: ModelRequest, hide: HideText): Promise<ModelRequest> {
  return {
    ...request,
    system: await hide(request.system),
    messages: await each(request.messages, (message) => hideMessage(message, hide)),
    tools: await each(request.tools, (tool) => hideTool(tool, hide)),
  };
}
