import * as z from 'zod';

/** Fields that most records have, each with its description. */
export const createdAt = z.iso.datetime().describe('When the record was created (ISO 8601, UTC).');
export const updatedAt = z.iso.datetime().describe('When the record was last changed (ISO 8601, UTC).');
export const etag = z
  .string()
  .describe('Changes with every change; sent as `If-Match`, it refuses to overwrite a newer state.');
export const groupId = z.guid().describe('The workspace that the record belongs to.');
