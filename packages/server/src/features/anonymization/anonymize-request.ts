import type { ModelMessage, ModelRequest, ModelTool, TextOrigin } from '../../drivers/models/driver.ts';
import { anonymizeSchema } from './anonymize-schema.ts';
import { type AnonymizeText, anonymizeValue, type RequestAnonymizer } from './anonymize-value.ts';

async function each<T, R>(list: readonly T[], change: (item: T) => Promise<R>): Promise<R[]> {
  const changed: R[] = [];
  // In sequence, since placeholders are numbered in the order of the text.
  for (const item of list) changed.push(await change(item));
  return changed;
}

const isCallers = (origin: TextOrigin | undefined) => origin === undefined || origin === 'caller';

async function hideMessage(message: ModelMessage, hide: RequestAnonymizer): Promise<ModelMessage> {
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
          ? { ...part, text: await hide.said(part.text) }
          : { ...part, input: await anonymizeValue(part.input, hide.said) },
      ),
    };
  return {
    role: 'user',
    parts: await each(message.parts, async (part) => {
      if (part.type === 'file') return { ...part, filename: await hide(part.filename) };
      return part.covered
        ? { ...part, ...(await hide.within(part.text, part.covered)) }
        : { ...part, text: await hide(part.text) };
    }),
  };
}

async function hideTool(tool: ModelTool, hide: RequestAnonymizer): Promise<ModelTool> {
  const data = tool.data && { data: await each(tool.data, hide.json) };
  if (isCallers(tool.origin))
    return {
      ...tool,
      ...data,
      description: await hide(tool.description),
      input_schema: (await anonymizeSchema(tool.input_schema, hide)) as ModelTool['input_schema'],
    };
  if (!tool.covered?.length) return { ...tool, ...data };
  const { text, covered } = await hide.within(tool.description, tool.covered);
  return { ...tool, ...data, description: text, covered };
}

/** A model that sees only placeholders can't stop at the value of one. */
async function openStops(stops: readonly string[], hide: AnonymizeText): Promise<string[]> {
  const hidden = await each(stops, hide);
  return stops.filter((stop, index) => stop === hidden[index]);
}

async function hideSystem({ system, system_covered }: ModelRequest, hide: RequestAnonymizer) {
  if (!system_covered) return { system: await hide(system) };
  const { text, covered } = await hide.within(system, system_covered);
  return { system: text, system_covered: covered };
}

/**
 * Anonymizes what users, callers and data brought into a request. The operator's own text stays as it is. So do
 * images, since text in them can't be read here.
 */
export async function anonymizeRequest(request: ModelRequest, hide: RequestAnonymizer): Promise<ModelRequest> {
  const { json_schema, stop_sequences } = request;
  return {
    ...request,
    ...(await hideSystem(request, hide)),
    messages: await each(request.messages, (message) => hideMessage(message, hide)),
    tools: await each(request.tools, (tool) => hideTool(tool, hide)),
    stop_sequences: isCallers(request.stop_origin) ? await openStops(stop_sequences, hide) : stop_sequences,
    ...(json_schema &&
      isCallers(request.json_schema_origin) && {
        json_schema: (await anonymizeSchema(json_schema, hide)) as Record<string, unknown>,
      }),
  };
}
