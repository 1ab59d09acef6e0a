import { createHash } from 'node:crypto';

export interface StoredObject {
  bytes: Buffer;
  etag: string;
  modified: Date;
}

export interface Upload {
  key: string;
  started: Date;
  parts: Map<number, StoredObject>;
}

export const storedObject = (bytes: Buffer): StoredObject => ({
  ...{ bytes, modified: new Date() },
  etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const element = (name: string, value: string | number | Date) =>
  `<${name}>${escapeXml(value instanceof Date ? value.toISOString() : String(value))}</${name}>`;

const document = (name: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;

/** One page of the objects whose names begin with a prefix, in the order of their names. */
export function objectsPage(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams, most: number): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const max = Math.min(most, Number(query.get('max-keys') ?? most));
  const shown = (key: string) => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return end < 0 ? key : key.slice(0, end + 1);
  };
  const names = [...objects.keys()].filter((key) => key.startsWith(prefix)).map(shown);
  const keys = [...new Set(names)].filter((key) => key > after).sort();
  const page = keys.slice(0, max);
  const more = keys.length > max ? element('NextContinuationToken', page.at(-1) ?? '') : '';
  const contents = page.map((key) => {
    if (delimiter !== '' && key.endsWith(delimiter))
      return `<CommonPrefixes>${element('Prefix', key)}</CommonPrefixes>`;
    const { bytes, etag, modified } = objects.get(key) as StoredObject;
    const fields = element('Key', key) + element('LastModified', modified) + element('ETag', etag);
    return `<Contents>${fields}${element('Size', bytes.length)}</Contents>`;
  });
  return document('ListBucketResult', element('IsTruncated', String(more !== '')) + more + contents.join(''));
}

export function uploadsPage(uploads: ReadonlyMap<string, Upload>, query: URLSearchParams): string {
  const content = [...uploads]
    .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
    .map(([id, { key, started }]) => {
      const fields = element('Key', key) + element('UploadId', id) + element('Initiated', started);
      return `<Upload>${fields}</Upload>`;
    });
  return document('ListMultipartUploadsResult', element('IsTruncated', 'false') + content.join(''));
}

export function partsPage({ parts }: Upload, query: URLSearchParams, max: number): string {
  const after = Number(query.get('part-number-marker') ?? 0);
  const numbers = [...parts.keys()].filter((number) => number > after).sort((a, b) => a - b);
  const page = numbers.slice(0, max);
  const more = numbers.length > max ? element('NextPartNumberMarker', page.at(-1) ?? 0) : '';
  const content = page.map((number) => {
    const { modified, bytes } = parts.get(number) as StoredObject;
    const fields = element('PartNumber', number) + element('LastModified', modified);
    return `<Part>${fields}${element('Size', bytes.length)}</Part>`;
  });
  return document('ListPartsResult', element('IsTruncated', String(more !== '')) + more + content.join(''));
}

export const copiedPage = (name: 'CopyObjectResult' | 'CopyPartResult', { etag, modified }: StoredObject) =>
  document(name, element('ETag', etag) + element('LastModified', modified));

export const deletedPage = (keys: readonly string[]) =>
  document('DeleteResult', keys.map((key) => `<Deleted>${element('Key', key)}</Deleted>`).join(''));

export const errorPage = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${element('Code', code)}${element('Message', 'test')}</Error>`;

export const uploadPage = (id: string) => document('InitiateMultipartUploadResult', element('UploadId', id));

export const completedPage = (etag: string) => document('CompleteMultipartUploadResult', element('ETag', etag));
