import { createHash, createHmac } from 'node:crypto';
import type { S3Bucket } from './driver.ts';

export interface UnsignedRequest {
  method: string;
  /** Host with its port, as it is sent. */
  host: string;
  /** Not yet encoded, with a slash at its start. */
  path: string;
  query?: Readonly<Record<string, string>> | undefined;
  /** In lower case; all of them are signed. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: Uint8Array | undefined;
}

type Credentials = Pick<S3Bucket, 'region' | 'access_key_id' | 'secret_access_key'>;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Everything but letters, digits and `-._~` is escaped; encodeURIComponent leaves five characters more. */
const escapeUri = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Signs a request to an S3 store by AWS Signature Version 4; answers what has to be sent. */
export function signRequest(
  { method, host, path, query = {}, headers = {}, body }: UnsignedRequest,
  { region, access_key_id, secret_access_key }: Credentials,
  now: Date,
): { path: string; headers: Record<string, string> } {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const content = sha256(body ?? '');
  const all: Record<string, string> = { ...headers, host, 'x-amz-content-sha256': content, 'x-amz-date': time };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const encodedPath = path.split('/').map(escapeUri).join('/');
  const encodedQuery = Object.entries(query)
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join('&');
  const lines = names.map((name) => `${name}:${all[name]?.trim().replaceAll(/ +/g, ' ')}\n`).join('');
  const canonical = [method, encodedPath, encodedQuery, lines, signed, content].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret_access_key}`, day));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${access_key_id}/${scope},SignedHeaders=${signed},Signature=${signature}`;
  return { path: encodedQuery ? `${encodedPath}?${encodedQuery}` : encodedPath, headers: { ...all, authorization } };
}
