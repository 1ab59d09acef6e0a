import type { ToolFile } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';
import type { McpResult } from '../../../drivers/mcp/driver.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';

const mostFiles = 10;

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const dataPart = z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().optional() });
const linkPart = z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string().optional() });
const embedded = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const part = z.union([textPart, dataPart, linkPart, embedded]);

const toolFile = z.object({
  ...{ id: z.string(), name: z.string(), size: z.number(), type: z.string(), url: z.string(), inline: z.boolean() },
});

/** The result of a call, as models and users get it. */
export const mcpOutput = z.union([
  z.string(),
  z.object({
    text: z.string().optional(),
    structured: z.record(z.string(), z.unknown()).optional(),
    links: z.array(z.object({ uri: z.string(), name: z.string() })).optional(),
    files: z.array(toolFile).optional(),
  }),
]);
type McpOutput = z.output<typeof mcpOutput>;

/** The files of a result, which become parts of the reply. */
export const filesIn = (output: unknown): readonly ToolFile[] =>
  typeof output === 'object' && output !== null ? ((output as { files?: ToolFile[] }).files ?? []) : [];

const endings: Record<string, string> = {
  ...{ 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp', 'audio/wav': 'wav' },
  ...{ 'audio/mpeg': 'mp3', 'application/pdf': 'pdf' },
};

const nameOfUri = (uri: string) => uri.split(/[/?#]/).findLast((piece) => piece !== '') ?? 'file';

async function* bytes(base64: string) {
  yield Buffer.from(base64, 'base64');
}

/**
 * Reads the answer of a server: text as text, images and other bytes as files of the workspace. Parts of an unknown
 * kind are skipped.
 */
export async function readContent(
  scope: Scope,
  files: Pick<Files, 'save'>,
  { content, structured }: Pick<McpResult, 'content' | 'structured'>,
): Promise<McpOutput> {
  const texts: string[] = [];
  const links: { uri: string; name: string }[] = [];
  const kept: ToolFile[] = [];
  const keep = async (filename: string, data: string) => {
    if (kept.length === mostFiles) return;
    // Files that are stored on the way must not be recorded as the answer of the idempotent request.
    const inner = omit(scope, ['idempotency']);
    const file = await files.save(inner, { filename, stream: bytes(data) });
    const type = file.content_type ?? 'application/octet-stream';
    const inline = type.startsWith('image/');
    kept.push({ id: file.id, name: file.filename, size: file.size, type, url: `store://${file.id}`, inline });
  };
  for (const given of content) {
    const { data } = part.safeParse(given);
    if (data?.type === 'text') texts.push(data.text);
    else if (data?.type === 'resource_link') links.push({ uri: data.uri, name: data.name ?? nameOfUri(data.uri) });
    else if (data?.type === 'resource') {
      const { uri, text, blob } = data.resource;
      if (text !== undefined) texts.push(`${uri}:\n${text}`);
      else if (blob !== undefined) await keep(nameOfUri(uri), blob);
    } else if (data) await keep(`${data.type}.${endings[data.mimeType ?? ''] ?? 'bin'}`, data.data);
  }
  const text = texts.join('\n');
  // Servers repeat structured data as text for clients that can't read the data.
  const repeats = structured !== null && texts.length === 1 && isJson(text);
  if (structured === null && links.length === 0 && kept.length === 0) return text;
  return {
    ...(text && !repeats && { text }),
    ...(structured !== null && { structured }),
    ...(links.length > 0 && { links }),
    ...(kept.length > 0 && { files: kept }),
  };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
