import { type S3Client, textIn } from './s3-client.ts';

interface ListedObject {
  key: string;
  size: number;
  modified: Date;
}

const entries = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, entry = '']) => entry);

/** Names are ours, of letters that XML does not escape; others never match what is looked for. */
const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The pages of a list; the marker of the next page is made from the last. */
async function* pages(
  client: S3Client,
  request: { key?: string; query: Record<string, string> },
  next: (xml: string) => Record<string, string>,
): AsyncGenerator<string> {
  for (let query = request.query; ; ) {
    const { text } = await client.call({ operation: 'list', method: 'GET', ...request, query });
    yield text;
    if (textIn(text, 'IsTruncated') !== 'true') return;
    query = { ...request.query, ...next(text) };
  }
}

export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  const next = (xml: string) => ({ 'continuation-token': plain(textIn(xml, 'NextContinuationToken')) });
  for await (const xml of pages(client, { query: { 'list-type': '2', prefix } }, next))
    for (const entry of entries(xml, 'Contents'))
      yield {
        key: plain(textIn(entry, 'Key')),
        size: Number(textIn(entry, 'Size')),
        modified: new Date(textIn(entry, 'LastModified')),
      };
}

/** Uploads in parts that have neither ended nor been aborted, with the time of their last sign of life. */
export async function* listUploads(
  client: S3Client,
  prefix: string,
): AsyncGenerator<{ key: string; upload_id: string; touched: Date }> {
  const next = (xml: string) => ({
    'key-marker': plain(textIn(xml, 'NextKeyMarker')),
    'upload-id-marker': plain(textIn(xml, 'NextUploadIdMarker')),
  });
  for await (const xml of pages(client, { query: { uploads: '', prefix } }, next))
    for (const entry of entries(xml, 'Upload')) {
      const [key, upload_id] = [plain(textIn(entry, 'Key')), plain(textIn(entry, 'UploadId'))];
      const started = new Date(textIn(entry, 'Initiated'));
      yield { key, upload_id, touched: await lastPart(client, key, upload_id, started) };
    }
}

async function lastPart(client: S3Client, key: string, uploadId: string, started: Date): Promise<Date> {
  let latest = started.getTime();
  const next = (xml: string) => ({ 'part-number-marker': textIn(xml, 'NextPartNumberMarker') });
  try {
    for await (const xml of pages(client, { key, query: { uploadId } }, next))
      for (const part of entries(xml, 'Part'))
        latest = Math.max(latest, new Date(textIn(part, 'LastModified')).getTime());
  } catch {
    // It ended meanwhile, or its parts can't be listed now: it counts as alive.
    latest = Date.now();
  }
  return new Date(latest);
}
