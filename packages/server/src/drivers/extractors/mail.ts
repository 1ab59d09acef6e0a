import type { Address, Email } from 'postal-mime';
import { makeDocument } from './document-writer.ts';
import { type Extract, type Extracted, type ExtractOptions, NotExtractable } from './driver.ts';
import { writeHtml } from './html/html.ts';
import { wholeOf } from './read-all-bytes.ts';

const mostAttachments = 50;
/** E-mails within e-mails: each is a part of the one around it, so all of them together are read so often at most. */
const deepest = 4;

const nameOf = ({ name, address }: Address) => (name && address ? `${name} <${address}>` : name || address || '');
const namesOf = (list: Address[] | undefined) => (list ?? []).map(nameOf).filter(Boolean).join(', ');

function headersOf(mail: Email): string {
  const headers = {
    From: mail.from && nameOf(mail.from),
    To: namesOf(mail.to),
    Cc: namesOf(mail.cc),
    Date: mail.date,
    Subject: mail.subject,
  };
  return Object.entries(headers)
    .flatMap(([name, value]) => (value ? `${name}: ${value.replaceAll(/\s+/g, ' ')}` : []))
    .join('\n');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * E-mails: what stands at their head, what they say, and the files that came with them, each read as if it came alone;
 * so are e-mails that were forwarded in one, a few deep.
 */
export const mailReader =
  (extract: Extract, depth = 0) =>
  async (content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> => {
    const { max_chars, signal } = options;
    const bytes = await wholeOf(content, signal);
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(bytes, { maxNestingDepth: 20, maxHeadersSize: 1024 * 1024 });
    if (!mail.from && !mail.to && !mail.subject && !mail.date && !mail.messageId)
      throw new NotExtractable('unreadable', 'it is no e-mail: nothing says who wrote it or what it is about');
    const document = makeDocument(max_chars);
    if (mail.subject) document.title(mail.subject);
    document.add('paragraph', headersOf(mail));
    if (mail.text)
      for (const part of mail.text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/)) document.add('paragraph', part.trim());
    else if (mail.html) await writeHtml(document, mail.html, { max_chars, signal, choices: options.html ?? {} });

    for (const { filename, mimeType, content: data } of mail.attachments.slice(0, mostAttachments)) {
      if (document.full()) break;
      const file = new Uint8Array(data as ArrayBuffer);
      const name = filename ?? 'attachment';
      document.heading(2, `Attachment: ${name}`);
      if (options.images && mimeType.startsWith('image/'))
        document.image({ name, content_type: mimeType, data: file, alt: '' });
      if (depth === deepest) {
        document.add('paragraph', `[It was not read: it lies more than ${deepest} e-mails deep.]`);
        continue;
      }
      const read = mimeType === 'message/rfc822' ? mailReader(extract, depth + 1) : extract;
      const about = { filename: name, content_type: mimeType, max_chars: Math.max(1, max_chars - document.length()) };
      try {
        document.include(await read(once(file), { ...options, ...about }));
      } catch (error) {
        if (!(error instanceof NotExtractable)) throw error;
        document.add('paragraph', `[It could not be read: ${error.message}.]`);
      }
    }
    if (mail.attachments.length > mostAttachments)
      document.warn(`Only the first ${mostAttachments} attachments were read.`);
    return document.end();
  };
