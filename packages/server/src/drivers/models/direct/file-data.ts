import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import { ModelError } from '../driver.ts';

/** A part of a request that the protocol has no form for. Nothing was sent, and a retry would fail the same way. */
export const unsupported = (what: string) => new ModelError(`'${what}' functionality not supported.`, { status: 400 });

/** The bytes of a file as base64. Prompts have files by their bytes only. */
export function base64Of({ data }: LanguageModelV4FilePart): string {
  if (data.type !== 'data' || typeof data.data === 'string') throw unsupported(`file data of the type ${data.type}`);
  const { buffer, byteOffset, byteLength } = data.data;
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
