import type { S3Bucket } from '../../../s3/driver.ts';

/**
 * What the engine needs to reach the store. The names are those that the engine itself gives to variables of the
 * environment: under another name, such a variable would take the place of a value here.
 */
export const engineOptions = (bucket: S3Bucket): Record<string, string> => ({
  aws_endpoint: bucket.endpoint,
  aws_region: bucket.region,
  aws_access_key_id: bucket.access_key_id,
  aws_secret_access_key: bucket.secret_access_key,
  aws_virtual_hosted_style_request: 'false',
  // A version is stored only when no other writer has stored it: two writers never lose a row.
  aws_conditional_put: 'etag',
  allow_http: String(bucket.endpoint.startsWith('http:')),
  client_max_retries: '4',
  client_retry_timeout: '30',
  connect_timeout: '5s',
  timeout: '30s',
});
