/** A prefix of a bucket in an S3 store, and the key to it. */
export interface S3Bucket {
  /** Address of the store, without a path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** What all names begin with: empty, or with a slash at its end. */
  prefix: string;
  access_key_id: string;
  secret_access_key: string;
}
