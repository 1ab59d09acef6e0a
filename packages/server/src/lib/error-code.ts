/** The `code` of an error of Node or PostgreSQL; undefined for any other value. */
export const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
