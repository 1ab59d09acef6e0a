import { plainText, type S3Client, textIn } from './s3-client.ts';
import { S3Failed } from './s3-failed.ts';

interface ListedObject {
  key: string;
  size: number;
  modified: Date;
}

const entries = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, entry = '']) => entry);

/** The pages of a list; the marker of the next page is made from the last. */
async function* pages(
  client: S3Client,
  request: { root: string; key?: string; query: Record<string, string> },
  next: (xml: string) => Record<string, string>,
): AsyncGenerator<string> {
  let marker = '';
  for (let query = request.query; ; ) {
    const { text } = await client.call({ operation: 'list', method: 'GET', ...request, query });
    yield text;
    if (textIn(text, 'IsTruncated') !== 'true') return;
    const markers = next(text);
    const before = marker;
    marker = Object.values(markers).join('\0');
    // Without a new marker the same page would come for ever.
    if (marker === before || Object.values(markers)[0] === '') throw new S3Failed(200, 'list without end');
    query = { ...request.query, ...markers };
  }
}

export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  const next = (xml: string) => ({ 'continuation-token': plainText(textIn(xml, 'NextContinuationToken')) });
  for await (const xml of pages(client, { root: 'ListBucketResult', query: { 'list-type': '2', prefix } }, next))
    for (const entry of entries(xml, 'Contents')) {
      const key = plainText(textIn(entry, 'Key'));
      // A store that ignores the prefix lists objects of others.
      if (key.startsWith(prefix))
        yield { key, size: Number(textIn(entry, 'Size')), modified: new Date(textIn(entry, 'LastModified')) };
    }
}

/** The names between a prefix and the next slash. */
export async function listFolders(client: S3Client, prefix: string): Promise<string[]> {
  const names: string[] = [];
  const next = (xml: string) => ({ 'continuation-token': plainText(textIn(xml, 'NextContinuationToken')) });
  const query = { 'list-type': '2', prefix, delimiter: '/' };
  for await (const xml of pages(client, { root: 'ListBucketResult', query }, next))
    for (const entry of entries(xml, 'CommonPrefixes')) {
      const folder = plainText(textIn(entry, 'Prefix'));
      if (folder.startsWith(prefix)) names.push(folder.slice(prefix.length).replace(/\/$/, ''));
    }
  return names;
}

/** Uploads in parts that have neither ended nor been aborted, with the time of their last part. */
export async function* listUploads(
  client: S3Client,
  prefix: string,
): AsyncGenerator<{ key: string; upload_id: string; touched: Date }> {
  const next = (xml: string) => ({
    'key-marker': plainText(textIn(xml, 'NextKeyMarker')),
    'upload-id-marker': plainText(textIn(xml, 'NextUploadIdMarker')),
  });
  for await (const xml of pages(client, { root: 'ListMultipartUploadsResult', query: { uploads: '', prefix } }, next))
    for (const entry of entries(xml, 'Upload')) {
      const [key, upload_id] = [plainText(textIn(entry, 'Key')), plainText(textIn(entry, 'UploadId'))];
      if (!key.startsWith(prefix)) continue;
      const started = new Date(textIn(entry, 'Initiated'));
      yield { key, upload_id, touched: await lastPart(client, key, upload_id, started) };
    }
}

async function lastPart(client: S3Client, key: string, uploadId: string, started: Date): Promise<Date> {
  let latest = started.getTime();
  const next = (xml: string) => ({ 'part-number-marker': textIn(xml, 'NextPartNumberMarker') });
  try {
    for await (const xml of pages(client, { root: 'ListPartsResult', key, query: { uploadId } }, next))
      for (const part of entries(xml, 'Part'))
        latest = Math.max(latest, new Date(textIn(part, 'LastModified')).getTime());
  } catch {
    // It ended meanwhile, or its parts can't be listed now: it is not removed.
    latest = Date.now();
  }
  return new Date(latest);
}
