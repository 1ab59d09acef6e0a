import type { Settings } from '@atrium/contract/settings/settings.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { MessageRow } from '../conversations/ports.ts';
import type { MessagePart } from '../messages/ports.ts';
import { channelDisplay, toUiMessage, type UiPart } from '../messages/service.ts';
import { isNoReply } from './no-reply.ts';
import { type Carries, carried, type ReplyFile } from './reply-files.ts';

/** What we say of a part besides the fields of the protocol. */
const aboutOf = (part: UiPart) => fieldsOf(fieldsOf(part['providerMetadata'])['atrium']);

const quoted = (text: string) => text.trim().replaceAll(/^/gm, '> ');
/** Brackets and line breaks would end the link that it is the text of. */
const linkText = (text: string) => text.replaceAll(/[[\]\r\n]+/g, ' ').trim();

function sourceLine(part: UiPart, number: number): string {
  const { quote, page: at } = aboutOf(part);
  const title = linkText(String(part['title'] ?? '') || String(part['url'] ?? 'Source'));
  const named = part['url'] ? `[${title}](${part['url']})` : title;
  const page = at === undefined ? '' : `, page ${at}`;
  return `${number}. ${named}${page}${quote ? `: “${linkText(String(quote)).slice(0, 200)}”` : ''}`;
}

function toolLine(part: UiPart): string {
  const { message } = fieldsOf(part['toolMetadata'] ?? part['data']);
  const name = String(part['title'] ?? part.type.replace(/^tool-/, ''));
  return `_${message ?? `Used ${name}`}_`;
}

function fileOf(part: UiPart): ReplyFile {
  const { id, filename, size } = aboutOf(part);
  return { id: String(id), name: String(filename), type: String(part['mediaType']), size: Number(size) };
}

/** A file that a channel does not take is named at least. */
const namedOnly = ({ name }: ReplyFile) => `_File: ${linkText(name)} (it can not be sent here)_`;

/** A reply as a channel tells it: Markdown, and the files that go along. */
export interface ChannelReply {
  text: string;
  files: ReplyFile[];
}

const nothing: ChannelReply = { text: '', files: [] };

/**
 * A reply as the people of a channel read it, with what the transport settings let through and the channel carries.
 * Empty when there is nothing to tell.
 */
export function replyOf(row: MessageRow, settings: Settings, carries: Carries): ChannelReply {
  const stored = parseStored<MessagePart[]>(row.parts);
  const display = channelDisplay(settings);
  const blocks: string[] = [];
  const sources: string[] = [];
  const made: ReplyFile[] = [];
  let footer = '';
  const { parts } = toUiMessage(row, display);
  // Who has not read along gets no half sentence: words of the step that failed are left out.
  const failed = stored.some(({ type }) => type === 'error');
  const broken = failed ? parts.findLastIndex(({ type }) => type === 'step-start') : parts.length;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text' && failed && index > broken) continue;
    if (part.type === 'text') blocks.push(String(part['text']).trim());
    else if (part.type === 'reasoning') blocks.push(quoted(String(part['text'])));
    else if (part.type.startsWith('tool-') || part.type === 'data-tool-activity') blocks.push(toolLine(part));
    else if (part.type === 'source-url' || part.type === 'source-document')
      sources.push(sourceLine(part, sources.length + 1));
    else if (part.type === 'file' && part['providerMetadata']) made.push(fileOf(part));
    else if (part.type === 'data-footer') footer = String(fieldsOf(part['data'])['text']).trim();
  }
  const said = blocks.filter(Boolean);
  if (settings.transport_allow_noop && said.every(isNoReply) && made.length === 0) return nothing;
  const { along: files, named } = carried(made, carries);
  if (said.length === 0 && files.length) said.push(files.map(({ name }) => linkText(name)).join(', '));
  said.push(...named.map(namedOnly));
  // A failure is reported even where screens show no banner for it, so that the writer does not wait for an answer in
  // vain.
  if (failed) said.push(display.failure_text ?? '');
  const waits = stored.some(({ type }) => type === 'handover');
  if (said.length === 0 && !waits) return { ...nothing, text: 'There is no answer to this.' };
  if (said.length && sources.length) said.push(`Sources:\n${sources.join('\n')}`);
  if (said.length && footer) said.push(footer);
  return { text: said.join('\n\n'), files };
}
